// SPDX-License-Identifier: BSD-3-Clause
//
// The opcodes of SSE, AVX and AVX-512: those behind 0f, 0f 38 and 0f 3a, and those with VEX and EVEX, which replace
// these bytes. Only instructions that write general registers matter here.
#include "patch/decoder.hpp"

namespace vftr::patch {

// Whether an opcode of the two-byte map, with AVX or without, uses vector registers. The few that also use general
// registers are distinguished below.
bool Decoder::is_vector(unsigned opcode) {
    return (opcode >= 0x10 && opcode <= 0x17) || (opcode >= 0x28 && opcode <= 0x2f) ||
           (opcode >= 0x50 && opcode <= 0x7f) || opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6) || opcode >= 0xd0;
}

// Handles vector opcodes of the two-byte map.
void Decoder::vector(unsigned opcode) {
    switch (opcode) {
    case 0x2c:
    case 0x2d:
    case 0x50:
    case 0xc5:
    case 0xd7:
        return writes(reg_);
    case 0x78:
    case 0x79:
    case 0x7e:
        return writes(reg_), writes_rm();
    default:
        return;
    }
}

void Decoder::map_38(unsigned opcode, bool vex) {
    if (opcode < 0xe0)
        return;
    writes(reg_);
    writes_rm();
    if (vex)
        writes(third_);
}

void Decoder::map_3a(unsigned opcode) {
    if (opcode >= 0x14 && opcode <= 0x17)
        writes_rm();
    if (opcode >= 0x60 && opcode <= 0x63)
        writes(Rcx);
    if (opcode >= 0xf0)
        writes(reg_);
}

void Decoder::vex(unsigned opcode) {
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

void Decoder::evex() {
    const unsigned first = byte(), second = byte();
    byte();
    bad_ |= (first & 8) != 0 || (second & 4) == 0;
    rex_ = (~first >> 5 & 7) | (second >> 4 & 8);
    third_ = ~second >> 3 & 15;
    in_map(first & 7, false);
}

void Decoder::in_map(unsigned map, bool vex) {
    const unsigned opcode = byte();
    if (map == 1 && opcode == 0x77 && vex) // vzeroupper
        return;
    operands();
    switch (map) {
    case 1:
        bad_ |= (opcode & 0xf0) == 0x80; // conditional jumps of one kind of machine only (Xeon Phi)
        number((opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6) ? 1 : 0,
               false);
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

} // namespace vftr::patch
