// SPDX-License-Identifier: BSD-3-Clause
//
// Parses the encoding of an x86-64 instruction: prefixes, opcode, ModRM and SIB with a displacement, and an immediate.
// The opcode maps (decoder.hpp) define what follows each opcode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace vftr::patch {

// What follows an opcode. Z: 32 bits, or 16 with the prefix 66. V: as Z, but 64 bits with REX.W. A: an address. R: a
// distance from the next instruction.
enum Shape : char {
    Bad = 'x',
    None = '-',
    B1 = 'b',
    W1 = 'w',
    Z1 = 'z',
    V1 = 'v',
    A1 = 'a',
    E3 = 'e',
    R1 = 'r',
    R4 = 'R',
    M = 'm',
    MB = 'M',
    MZ = 'Z',
    Group3 = '3',
    Group3Z = '4'
};

class Encoding {
protected:
    explicit Encoding(std::span<const std::uint8_t> code) : code_(code.first(code.size() < 15 ? code.size() : 15)) {}

    unsigned byte();
    std::uint64_t number(unsigned bytes, bool is_signed);
    void prefixes();
    // Parses ModRM, SIB and displacement.
    void operands();
    void follow(char shape);

    bool wide() const { return rex_ & 8; }
    unsigned size_z() const { return operand16_ && !wide() ? 2 : 4; }
    // Returns the register that is encoded in the opcode itself.
    unsigned register_in(unsigned opcode) const { return (opcode & 7) | (rex_ & 1) << 3; }

    std::span<const std::uint8_t> code_;
    std::size_t at_ = 0;
    bool bad_ = false; // the instruction is truncated or not known
    bool operand16_ = false, address32_ = false, lock_ = false, thread_local_ = false, from_ip_ = false;
    unsigned repeat_ = 0, rex_ = 0, mod_ = 0, digit_ = 0, reg_ = 0, rm_ = 0;
    static constexpr unsigned NoRegister = 16;
    unsigned base_ = NoRegister, index_ = NoRegister, scale_ = 1; // of the memory operand
    std::uint64_t displacement_ = 0, immediate_ = 0;
};

} // namespace vftr::patch
