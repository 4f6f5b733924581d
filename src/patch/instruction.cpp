// SPDX-License-Identifier: BSD-3-Clause
#include "patch/instruction.hpp"

namespace vftr::patch {

namespace {

// What follows an opcode. Z: 32 bits, or 16 with the prefix 66; V: as Z, but 64 bits with REX.W; A: an address; R: relative to the next instruction.
enum Shape : char { Bad = 'x', None = '-', B1 = 'b', W1 = 'w', Z1 = 'z', V1 = 'v', A1 = 'a', E3 = 'e', R1 = 'r', R4 = 'R',
                    M = 'm', MB = 'M', MZ = 'Z', Group3 = '3', Group3Z = '4' };

// A row has 16 opcodes. Prefixes are bad: they were taken off before.
constexpr char one_byte[] = "mmmmbzxxmmmmbzxx" "mmmmbzxxmmmmbzxx" "mmmmbzxxmmmmbzxx" "mmmmbzxxmmmmbzxx" // 00, 10, 20, 30
                            "xxxxxxxxxxxxxxxx" "----------------" "xxxmxxxxzZbM----" "rrrrrrrrrrrrrrrr" // 40, 50, 60, 70
                            "MZxMmmmmmmmmmmmm" "----------x-----" "aaaa----bz------" "bbbbbbbbvvvvvvvv" // 80, 90, a0, b0
                            "MMw-xxMZe-w--bx-" "mmmmxxx-mmmmmmmm" "rrrrbbbbRRxr----" "x-xx--34------mm";// c0, d0, e0, f0
constexpr char two_byte[] = "mmmmx-----x-xmxx" "mmmmmmmmmmmmmmmm" "xxxxxxxxmmmmmmmm" "------x-xxxxxxxx" // 00, 10, 20, 30
                            "mmmmmmmmmmmmmmmm" "mmmmmmmmmmmmmmmm" "mmmmmmmmmmmmmmmm" "MMMMmmm-mmxxmmmm" // 40, 50, 60, 70
                            "RRRRRRRRRRRRRRRR" "mmmmmmmmmmmmmmmm" "---mMmxx---mMmmm" "mmmmmmmmmmMmmmmm" // 80, 90, a0, b0
                            "mmMmMMMm--------" "mmmmmmmmmmmmmmmm" "mmmmmmmmmmmmmmmm" "mmmmmmmmmmmmmmmm";// c0, d0, e0, f0
static_assert(sizeof one_byte == 257 && sizeof two_byte == 257);

// Opcodes of the two-byte map, whether or not of AVX, whose registers are not general ones but for those that are told apart below.
constexpr bool is_vector(unsigned opcode) {
    return (opcode >= 0x10 && opcode <= 0x17) || (opcode >= 0x28 && opcode <= 0x2f) || (opcode >= 0x50 && opcode <= 0x7f) ||
           opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6) || opcode >= 0xd0;
}

constexpr RegisterSet everything = 0xffff;

class Decoder {
public:
    Decoder(std::span<const std::uint8_t> code, std::uint64_t address) : code_(code.first(code.size() < 15 ? code.size() : 15)), address_(address) {}

    Instruction decode() {
        prefixes();
        const unsigned opcode = byte();
        found_.opcode_at = static_cast<std::uint8_t>(at_ - 1);
        // No legacy prefix that such an opcode must not have, and no REX.
        const bool extended = opcode == 0x62 || opcode == 0xc4 || opcode == 0xc5;
        if (extended && (operand16_ || repeat_ != 0 || lock_ || rex_ != 0))
            return {};
        if (opcode == 0x0f)
            escaped();
        else if (opcode == 0x62)
            evex();
        else if (extended)
            vex(opcode);
        else
            plain(opcode);
        if (bad_)
            return {};
        found_.length = static_cast<std::uint8_t>(at_);
        found_.changeable = !operand16_ && !lock_ && repeat_ == 0;
        if (is_relative_)
            found_.target += address_ + at_;
        return found_;
    }

private:
    unsigned byte() {
        if (at_ >= code_.size()) {
            bad_ = true;
            return 0;
        }
        return code_[at_++];
    }
    std::uint64_t number(unsigned bytes, bool is_signed) {
        std::uint64_t value = 0;
        for (unsigned i = 0; i < bytes; ++i)
            value |= std::uint64_t{byte()} << 8 * i;
        if (is_signed && bytes != 0 && bytes < 8 && value >> (8 * bytes - 1) & 1)
            value -= std::uint64_t{1} << 8 * bytes;
        return value;
    }

    void prefixes() {
        for (unsigned next; at_ < code_.size(); ++at_) {
            next = code_[at_];
            if (next == 0x66)
                operand16_ = true;
            else if (next == 0x67)
                address32_ = true;
            else if (next == 0xf2 || next == 0xf3)
                repeat_ = next;
            else if (next == 0xf0)
                lock_ = true;
            else if (next == 0x64 || next == 0x65)
                thread_local_ = true;
            else if (next != 0x2e && next != 0x36 && next != 0x3e && next != 0x26)
                break;
        }
        if (at_ < code_.size() && (code_[at_] & 0xf0) == 0x40)
            rex_ = code_[at_++];
    }
    bool wide() const { return rex_ & 8; }
    unsigned size_z() const { return operand16_ && !wide() ? 2 : 4; }

    // ModRM, SIB and displacement.
    void operands() {
        const unsigned modrm = byte();
        mod_ = modrm >> 6;
        digit_ = modrm >> 3 & 7;
        reg_ = digit_ | (rex_ & 4) << 1;
        rm_ = (modrm & 7) | (rex_ & 1) << 3;
        if (mod_ == 3)
            return;
        unsigned displacement = mod_ == 1 ? 1 : mod_ == 2 ? 4 : 0;
        if ((modrm & 7) == 4) {
            if ((byte() & 7) == 5 && mod_ == 0)
                displacement = 4;
        } else if ((modrm & 7) == 5 && mod_ == 0) {
            displacement = 4;
            from_ip_ = true;
        }
        displacement_ = number(displacement, true);
    }

    void follow(char shape) {
        switch (shape) {
        case None:
            return;
        case B1:
            immediate_ = number(1, true);
            return;
        case W1:
            immediate_ = number(2, false);
            return;
        case Z1:
            immediate_ = number(size_z(), true);
            return;
        case V1:
            immediate_ = number(wide() ? 8 : size_z(), false);
            return;
        case A1:
            immediate_ = number(address32_ ? 4 : 8, false);
            return;
        case E3:
            number(3, false);
            return;
        case R1:
            immediate_ = number(1, true);
            return;
        case R4: // with 66 its length is another one on machines of AMD
            bad_ |= operand16_ && !wide();
            immediate_ = number(4, true);
            return;
        case M:
            return operands();
        case MB:
            operands();
            immediate_ = number(1, true);
            return;
        case MZ:
            operands();
            immediate_ = number(size_z(), true);
            return;
        case Group3:
            operands();
            number(digit_ < 2 ? 1 : 0, true);
            return;
        case Group3Z:
            operands();
            number(digit_ < 2 ? size_z() : 0, true);
            return;
        default:
            bad_ = true;
        }
    }

    void goes(Does what, std::uint64_t relative) {
        found_.does = what;
        found_.target = relative;
        is_relative_ = true;
    }
    void sets(unsigned reg, std::uint64_t value) {
        found_.does = Does::Sets;
        found_.reg = static_cast<Register>(reg);
        found_.target = value;
    }
    void writes(unsigned reg) { found_.written |= set_of(reg); }
    void writes_rm() {
        if (mod_ == 3)
            writes(rm_);
    }
    // Without REX the numbers 4 to 7 are the second bytes of the first four registers.
    void writes_byte(unsigned reg) { writes(rex_ == 0 && reg < 8 ? reg & 3 : reg), writes(reg); }
    void writes_byte_rm() {
        if (mod_ == 3)
            writes_byte(rm_);
    }

    void plain(unsigned opcode) {
        follow(one_byte[opcode]);
        if (opcode < 0x40)
            return arithmetic(opcode);
        if (opcode >= 0x58 && opcode <= 0x5f) {
            found_.does = Does::Pops;
            found_.reg = static_cast<Register>((opcode & 7) | (rex_ & 1) << 3);
            return writes(found_.reg);
        }
        if (opcode >= 0x70 && opcode <= 0x7f)
            return goes(Does::Branch, immediate_);
        if (opcode >= 0x90 && opcode <= 0x97)
            return writes(0), writes((opcode & 7) | (rex_ & 1) << 3);
        if (opcode >= 0xb0 && opcode <= 0xbf)
            return immediate(opcode);
        if (opcode >= 0xd8 && opcode <= 0xdf)
            return writes(0); // fnstsw
        if ((opcode & 0xfc) == 0xc0 || (opcode & 0xfc) == 0xd0)
            return opcode < 0xc2 || opcode >= 0xd0 ? writes_byte_rm() : ends();
        if (opcode >= 0xe0 && opcode <= 0xe3)
            return writes(Rcx), goes(Does::Branch, immediate_);
        if (opcode >= 0x80 && opcode <= 0x8f)
            return rows_80(opcode);
        switch (opcode) {
        case 0x50 ... 0x57: // push
        case 0x68: case 0x6a: case 0x84: case 0x85: case 0x9b: case 0xa8: case 0xa9:
        case 0xf5: case 0xf8: case 0xf9: case 0xfa: case 0xfb: case 0xfc: case 0xfd:
            return;
        case 0x63: case 0x69: case 0x6b:
            return writes(reg_);
        case 0xc6: case 0xc7:
            bad_ |= digit_ != 0; // xbegin jumps
            if (opcode == 0xc7 && mod_ == 3 && wide())
                sets(rm_, immediate_);
            return writes_byte_rm();
        case 0xca: case 0xcb: case 0xcf: case 0xf4:
            return ends();
        case 0xc8: case 0xc9: // enter, leave
            found_.does = Does::Pops;
            found_.reg = Rbp;
            return writes(Rbp);
        case 0xe8:
            return goes(Does::Call, immediate_);
        case 0xe9: case 0xeb:
            return goes(Does::Jump, immediate_);
        case 0xf6: case 0xf7:
            if (digit_ >= 4)
                return writes(Rax), writes(Rdx);
            return digit_ >= 2 ? writes_byte_rm() : void();
        case 0xfe:
            bad_ |= digit_ > 1;
            return writes_byte_rm();
        case 0xff:
            return group_5();
        default: // strings, flags, ports
            for (unsigned reg : {Rax, Rcx, Rdx, Rsi, Rdi, R11})
                writes(reg);
        }
    }

    void ends() { found_.does = Does::Ends; }

    void arithmetic(unsigned opcode) {
        if ((opcode & 7) >= 4)
            return writes(Rax);
        if (opcode >= 0x38) // cmp
            return;
        const unsigned to = opcode & 2 ? reg_ : rm_;
        if ((opcode & 2) || mod_ == 3)
            return opcode & 1 ? writes(to) : writes_byte(to);
    }

    void immediate(unsigned opcode) {
        const unsigned reg = (opcode & 7) | (rex_ & 1) << 3;
        if (opcode < 0xb8)
            return writes_byte(reg);
        writes(reg);
        if (!operand16_ || wide())
            sets(reg, immediate_);
    }

    void rows_80(unsigned opcode) {
        switch (opcode) {
        case 0x80: case 0x81: case 0x83:
            return digit_ != 7 ? writes_byte_rm() : void();
        case 0x84: case 0x85:
            return;
        case 0x86: case 0x87:
            writes_byte(reg_);
            return writes_byte_rm();
        case 0x88:
            return writes_byte_rm();
        case 0x89:
            return mod_ == 3 ? copies(rm_, reg_) : void();
        case 0x8a:
            return writes_byte(reg_);
        case 0x8b:
            if (mod_ == 3)
                return copies(reg_, rm_);
            return reaches(Does::Loads);
        case 0x8d:
            bad_ |= mod_ == 3;
            return reaches(Does::Sets);
        case 0x8f:
            bad_ |= digit_ != 0; // XOP
            return writes_rm();
        default: // segment registers
            return writes_rm();
        }
    }
    void copies(unsigned to, unsigned from) {
        writes(to);
        if (!wide())
            return;
        found_.does = Does::Copies;
        found_.reg = static_cast<Register>(to);
        found_.from = static_cast<Register>(from);
    }
    // Into the register, the address that is relative to the next instruction, or what is there.
    void reaches(Does what) {
        writes(reg_);
        if (!from_ip_ || !wide() || address32_ || thread_local_)
            return;
        goes(what, displacement_);
        found_.reg = static_cast<Register>(reg_);
    }

    void group_5() {
        const bool slot = from_ip_ && !address32_ && !thread_local_;
        switch (digit_) {
        case 0: case 1:
            return writes_rm();
        case 2:
            return slot ? goes(Does::CallThrough, displacement_) : void(found_.does = Does::CallElsewhere);
        case 3:
            found_.does = Does::CallElsewhere;
            return;
        case 4:
            return slot ? goes(Does::JumpThrough, displacement_) : ends();
        case 5:
            return ends();
        case 6:
            return;
        default:
            bad_ = true;
        }
    }

    void escaped() {
        const unsigned opcode = byte();
        if (opcode == 0x38 || opcode == 0x3a) {
            const unsigned third = byte();
            operands();
            number(opcode == 0x3a ? 1 : 0, false);
            return opcode == 0x38 ? map_38(third, false) : map_3a(third);
        }
        // Of AMD, with another length.
        bad_ |= opcode == 0x78 && (operand16_ || repeat_ == 0xf2);
        follow(two_byte[opcode]);
        if (is_vector(opcode))
            return vector(opcode);
        if (opcode >= 0x80 && opcode <= 0x8f)
            return goes(Does::Branch, immediate_);
        if (opcode >= 0x90 && opcode <= 0x9f)
            return writes_byte_rm();
        if (opcode >= 0xc8 && opcode <= 0xcf)
            return writes((opcode & 7) | (rex_ & 1) << 3);
        if (opcode >= 0x40 && opcode <= 0x4f)
            return writes(reg_);
        switch (opcode) {
        case 0x0b: // ud2
            return ends();
        case 0x05: // syscall
            return writes(Rax), writes(Rcx), writes(R11);
        case 0x0d: case 0x18 ... 0x1d: case 0x1f: case 0xa0: case 0xa8: case 0xa3:
            return;
        case 0x1e: // endbr64, rdsspq
            return writes_rm();
        case 0x31: case 0xa2: // rdtsc, cpuid
            return writes(Rax), writes(Rbx), writes(Rcx), writes(Rdx);
        case 0xa1: case 0xa9:
            return;
        case 0xa4: case 0xa5: case 0xab: case 0xac: case 0xad: case 0xb3: case 0xba: case 0xbb:
            return writes_rm();
        case 0xae:
            return writes_rm(); // rdfsbase
        case 0xaf: case 0xb2: case 0xb4: case 0xb5: case 0xb6: case 0xb7: case 0xb8: case 0xbc: case 0xbd: case 0xbe: case 0xbf:
            return writes(reg_);
        case 0xb0: case 0xb1:
            writes(Rax);
            return writes_byte_rm();
        case 0xc0: case 0xc1:
            writes_byte(reg_);
            return writes_byte_rm();
        case 0xc3:
            return;
        case 0xc7:
            return writes_rm(), writes(Rax), writes(Rdx);
        default:
            found_.written = everything;
        }
    }

    // Of the two-byte map.
    void vector(unsigned opcode) {
        switch (opcode) {
        case 0x2c: case 0x2d: case 0x50: case 0xc5: case 0xd7:
            return writes(reg_);
        case 0x78: case 0x79: case 0x7e:
            return writes(reg_), writes_rm();
        default:
            return;
        }
    }
    void map_38(unsigned opcode, bool vex) {
        if (opcode < 0xe0)
            return;
        writes(reg_);
        writes_rm();
        if (vex)
            writes(third_);
    }
    void map_3a(unsigned opcode) {
        if (opcode >= 0x14 && opcode <= 0x17)
            writes_rm();
        if (opcode >= 0x60 && opcode <= 0x63)
            writes(Rcx);
        if (opcode >= 0xf0)
            writes(reg_);
    }

    void vex(unsigned opcode) {
        const unsigned first = byte();
        unsigned map = 1, second = first;
        if (opcode == 0xc4) {
            map = first & 31;
            second = byte();
            rex_ = (~first >> 5 & 7) | (second >> 4 & 8);
        } else {
            rex_ = ~first >> 5 & 4;
        }
        third_ = ~second >> 3 & 15;
        in_map(map, true);
    }
    void evex() {
        const unsigned first = byte(), second = byte();
        byte();
        bad_ |= (first & 8) != 0 || (second & 4) == 0;
        rex_ = (~first >> 5 & 7) | (second >> 4 & 8);
        third_ = ~second >> 3 & 15;
        in_map(first & 7, false);
    }
    void in_map(unsigned map, bool vex) {
        const unsigned opcode = byte();
        if (map == 1 && opcode == 0x77 && vex) // vzeroupper
            return;
        operands();
        switch (map) {
        case 1:
            bad_ |= (opcode & 0xf0) == 0x80; // jumps of a machine of its own (Xeon Phi)
            number((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6) ? 1 : 0, false);
            if (is_vector(opcode))
                return vector(opcode);
            return writes(reg_), writes_rm(); // kmov
        case 2:
            return map_38(opcode, true);
        case 3:
            number(1, false);
            return map_3a(opcode);
        case 5:
        case 6:
            bad_ |= vex;
            return writes(reg_), writes_rm();
        default:
            bad_ = true;
        }
    }

    std::span<const std::uint8_t> code_;
    std::uint64_t address_;
    std::size_t at_ = 0;
    Instruction found_;
    bool bad_ = false, is_relative_ = false;
    bool operand16_ = false, address32_ = false, lock_ = false, thread_local_ = false, from_ip_ = false;
    unsigned repeat_ = 0, rex_ = 0, mod_ = 0, digit_ = 0, reg_ = 0, rm_ = 0, third_ = 0;
    std::uint64_t displacement_ = 0, immediate_ = 0;
};

} // namespace

Instruction decode(std::span<const std::uint8_t> code, std::uint64_t address) {
    return Decoder(code, address).decode();
}

} // namespace vftr::patch
