// SPDX-License-Identifier: BSD-3-Clause
//
// The map of one-byte opcodes.
#include "patch/decoder.hpp"

namespace vftr::patch {

// What follows each opcode; a row has 16 opcodes. Prefixes are marked as bad, because they were removed before.
constexpr char one_byte_shapes[] = "mmmmbzxxmmmmbzxx"
                                   "mmmmbzxxmmmmbzxx"
                                   "mmmmbzxxmmmmbzxx"
                                   "mmmmbzxxmmmmbzxx" // 00, 10, 20, 30
                                   "xxxxxxxxxxxxxxxx"
                                   "----------------"
                                   "xxxmxxxxzZbM----"
                                   "rrrrrrrrrrrrrrrr" // 40, 50, 60, 70
                                   "MZxMmmmmmmmmmmmm"
                                   "----------x-----"
                                   "aaaa----bz------"
                                   "bbbbbbbbvvvvvvvv" // 80, 90, a0, b0
                                   "MMw-xxMZe-w--bx-"
                                   "mmmmxxx-mmmmmmmm"
                                   "rrrrbbbbRRxr----"
                                   "x-xx--34------mm"; // c0, d0, e0, f0
static_assert(sizeof one_byte_shapes == 257);

void Decoder::one_byte(unsigned opcode) {
    follow(one_byte_shapes[opcode]);
    if (opcode < 0x40)
        return arithmetic(opcode);
    if (opcode >= 0x58 && opcode <= 0x5f) {
        found_.effect = Effect::Pops;
        found_.reg = static_cast<Register>(register_in(opcode));
        return writes(found_.reg);
    }
    if (opcode >= 0x70 && opcode <= 0x7f)
        return goes(Effect::Branch, immediate_);
    if (opcode >= 0x90 && opcode <= 0x97)
        return writes(0), writes(register_in(opcode));
    if (opcode >= 0xb0 && opcode <= 0xbf)
        return immediate(opcode);
    if (opcode >= 0xd8 && opcode <= 0xdf)
        return writes(0); // fnstsw
    if ((opcode & 0xfc) == 0xc0 || (opcode & 0xfc) == 0xd0)
        return opcode < 0xc2 || opcode >= 0xd0 ? writes_byte_rm() : ends();
    if (opcode >= 0xe0 && opcode <= 0xe3)
        return writes(Rcx), goes(Effect::Branch, immediate_);
    if (opcode >= 0x80 && opcode <= 0x8f)
        return rows_80(opcode);
    one_byte_alone(opcode);
}

void Decoder::one_byte_alone(unsigned opcode) {
    switch (opcode) {
    case 0x50 ... 0x57: // push
    case 0x68:
    case 0x6a:
    case 0x9b:
    case 0xa8:
    case 0xa9:
    case 0xf5:
    case 0xf8:
    case 0xf9:
    case 0xfa:
    case 0xfb:
    case 0xfc:
    case 0xfd:
        return;
    case 0x63:
        return loads_entry();
    case 0x69:
    case 0x6b:
        return writes(reg_);
    case 0x98: // cdqe, cwde, cbw
        return writes(Rax);
    case 0x99: // cqo, cdq, cwd
        return writes(Rdx);
    case 0xc6:
    case 0xc7:
        bad_ |= digit_ != 0; // xbegin jumps
        if (opcode == 0xc7 && mod_ == 3 && wide())
            sets(rm_, immediate_);
        return writes_byte_rm();
    case 0xca:
    case 0xcb:
    case 0xcf:
    case 0xf4:
        return ends();
    case 0xc8:
    case 0xc9: // enter, leave
        found_.effect = Effect::Pops;
        found_.reg = Rbp;
        return writes(Rbp);
    case 0xe8:
        return goes(Effect::Call, immediate_);
    case 0xe9:
    case 0xeb:
        return goes(Effect::Jump, immediate_);
    case 0xf6:
    case 0xf7:
        if (digit_ >= 4)
            return writes(Rax), writes(Rdx);
        return digit_ >= 2 ? writes_byte_rm() : void();
    case 0xfe:
        bad_ |= digit_ > 1;
        return writes_byte_rm();
    case 0xff:
        return group_5();
    default: // string, flag and port instructions
        for (unsigned reg : {Rax, Rcx, Rdx, Rsi, Rdi, R11})
            writes(reg);
    }
}

void Decoder::arithmetic(unsigned opcode) {
    if ((opcode & 7) >= 4)
        return writes(Rax);
    if (opcode >= 0x38) // cmp
        return;
    const unsigned to = opcode & 2 ? reg_ : rm_, from = opcode & 2 ? rm_ : reg_;
    if ((opcode & 2) || mod_ == 3)
        opcode & 1 ? writes(to) : writes_byte(to);
    if (mod_ == 3 && (opcode == 0x01 || opcode == 0x03))
        combines(Effect::Adds, to, from);
}

void Decoder::immediate(unsigned opcode) {
    const unsigned reg = register_in(opcode);
    if (opcode < 0xb8)
        return writes_byte(reg);
    writes(reg);
    if (!operand16_ || wide())
        sets(reg, immediate_);
}

void Decoder::rows_80(unsigned opcode) {
    switch (opcode) {
    case 0x80:
    case 0x81:
    case 0x83:
        return digit_ != 7 ? writes_byte_rm() : void();
    case 0x84:
    case 0x85:
        return;
    case 0x86:
    case 0x87:
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
        return reaches(Effect::Loads);
    case 0x8d:
        bad_ |= mod_ == 3;
        return reaches(Effect::Sets);
    case 0x8f:
        bad_ |= digit_ != 0; // XOP
        return writes_rm();
    default: // segment registers
        return writes_rm();
    }
}

void Decoder::copies(unsigned to, unsigned from) {
    writes(to);
    combines(Effect::Copies, to, from);
}

// For operations of 64 bits only.
void Decoder::combines(Effect what, unsigned to, unsigned from) {
    if (!wide())
        return;
    found_.effect = what;
    found_.reg = static_cast<Register>(to);
    found_.from = static_cast<Register>(from);
}

void Decoder::loads_entry() {
    writes(reg_);
    if (base_ != NoRegister && index_ != NoRegister && scale_ == 4 && displacement_ == 0 && !address32_ &&
        !thread_local_)
        combines(Effect::LoadsEntry, reg_, base_);
}

// The register gets the address that is relative to the next instruction, or the value at this address.
void Decoder::reaches(Effect what) {
    writes(reg_);
    if (!from_ip_ || !wide() || address32_ || thread_local_)
        return;
    goes(what, displacement_);
    found_.reg = static_cast<Register>(reg_);
}

// A jump that goes neither to a direct target nor through a slot.
void Decoder::jumps() {
    found_.effect = Effect::JumpElsewhere;
    if (mod_ == 3) {
        found_.effect = Effect::JumpsTo;
        found_.from = static_cast<Register>(rm_);
    } else if (base_ == NoRegister && index_ != NoRegister && scale_ == 8 && !from_ip_ && !address32_ &&
               !thread_local_) {
        found_.effect = Effect::JumpsByTable;
        found_.target = displacement_;
    }
}

void Decoder::group_5() {
    const bool slot = from_ip_ && !address32_ && !thread_local_;
    switch (digit_) {
    case 0:
    case 1:
        return writes_rm();
    case 2:
        return slot ? goes(Effect::CallThrough, displacement_) : void(found_.effect = Effect::CallElsewhere);
    case 3:
        found_.effect = Effect::CallElsewhere;
        return;
    case 4:
        return slot ? goes(Effect::JumpThrough, displacement_) : jumps();
    case 5:
        found_.effect = Effect::JumpElsewhere;
        return;
    case 6:
        return;
    default:
        bad_ = true;
    }
}

} // namespace vftr::patch
