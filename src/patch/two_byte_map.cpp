// SPDX-License-Identifier: BSD-3-Clause
//
// The map of opcodes behind the byte 0f.
#include "patch/decoder.hpp"

namespace vftr::patch {

// What follows each opcode; a row has 16 opcodes.
constexpr char two_byte_shapes[] = "mmmmx-----x-xmxx"
                                   "mmmmmmmmmmmmmmmm"
                                   "xxxxxxxxmmmmmmmm"
                                   "------x-xxxxxxxx" // 00, 10, 20, 30
                                   "mmmmmmmmmmmmmmmm"
                                   "mmmmmmmmmmmmmmmm"
                                   "mmmmmmmmmmmmmmmm"
                                   "MMMMmmm-mmxxmmmm" // 40, 50, 60, 70
                                   "RRRRRRRRRRRRRRRR"
                                   "mmmmmmmmmmmmmmmm"
                                   "---mMmxx---mMmmm"
                                   "mmmmmmmmmmMmmmmm" // 80, 90, a0, b0
                                   "mmMmMMMm--------"
                                   "mmmmmmmmmmmmmmmm"
                                   "mmmmmmmmmmmmmmmm"
                                   "mmmmmmmmmmmmmmmm"; // c0, d0, e0, f0
static_assert(sizeof two_byte_shapes == 257);

constexpr RegisterSet everything = 0xffff;

void Decoder::two_byte() {
    const unsigned opcode = byte();
    if (opcode == 0x38 || opcode == 0x3a) {
        const unsigned third = byte();
        operands();
        number(opcode == 0x3a ? 1 : 0, false);
        return opcode == 0x38 ? map_38(third, false) : map_3a(third);
    }
    // An instruction of AMD with another length.
    bad_ |= opcode == 0x78 && (operand16_ || repeat_ == 0xf2);
    follow(two_byte_shapes[opcode]);
    if (is_vector(opcode))
        return vector(opcode);
    if (opcode >= 0x80 && opcode <= 0x8f)
        return goes(Effect::Branch, immediate_);
    if (opcode >= 0x90 && opcode <= 0x9f)
        return writes_byte_rm();
    if (opcode >= 0xc8 && opcode <= 0xcf)
        return writes(register_in(opcode));
    if (opcode >= 0x40 && opcode <= 0x4f)
        return writes(reg_);
    two_byte_alone(opcode);
}

void Decoder::two_byte_alone(unsigned opcode) {
    switch (opcode) {
    case 0x0b: // ud2
        return ends();
    case 0x05: // syscall
        return writes(Rax), writes(Rcx), writes(R11);
    case 0x0d:
    case 0x18 ... 0x1d:
    case 0x1f:
    case 0xa0:
    case 0xa1:
    case 0xa3:
    case 0xa8:
    case 0xa9:
    case 0xc3:
        return;
    case 0x31:
    case 0xa2: // rdtsc, cpuid
        return writes(Rax), writes(Rbx), writes(Rcx), writes(Rdx);
    case 0x1e:
    case 0xa4:
    case 0xa5:
    case 0xab:
    case 0xac:
    case 0xad:
    case 0xae:
    case 0xb3:
    case 0xba:
    case 0xbb: // 1e: rdsspq; ae: rdfsbase
        return writes_rm();
    case 0xaf:
    case 0xb2:
    case 0xb4:
    case 0xb5:
    case 0xb6:
    case 0xb7:
    case 0xb8:
    case 0xbc:
    case 0xbd:
    case 0xbe:
    case 0xbf:
        return writes(reg_);
    case 0xb0:
    case 0xb1:
        writes(Rax);
        return writes_byte_rm();
    case 0xc0:
    case 0xc1:
        writes_byte(reg_);
        return writes_byte_rm();
    case 0xc7:
        return writes_rm(), writes(Rax), writes(Rdx);
    default:
        found_.written = everything;
    }
}

} // namespace vftr::patch
