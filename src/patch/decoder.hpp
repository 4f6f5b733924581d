// SPDX-License-Identifier: BSD-3-Clause
//
// Finds out what an instruction does by its opcode. Each opcode map has a file of its own.
#pragma once

#include "patch/encoding.hpp"
#include "patch/instruction.hpp"

namespace vftr::patch {

class Decoder : Encoding {
public:
    Decoder(std::span<const std::uint8_t> code, std::uint64_t address) : Encoding(code), address_(address) {}
    Instruction decode();

private:
    // in one_byte_map.cpp
    void one_byte(unsigned opcode);
    void one_byte_alone(unsigned opcode); // opcodes that are not part of a row
    void arithmetic(unsigned opcode);
    void immediate(unsigned opcode);
    void rows_80(unsigned opcode);
    void group_5();
    void copies(unsigned to, unsigned from);
    void combines(Effect what, unsigned to, unsigned from);
    void loads_entry();
    void jumps();
    void reaches(Effect what);

    // in two_byte_map.cpp
    void two_byte();
    void two_byte_alone(unsigned opcode);

    // in vector_maps.cpp
    static bool is_vector(unsigned opcode);
    void vector(unsigned opcode);
    void map_38(unsigned opcode, bool vex);
    void map_3a(unsigned opcode);
    void vex(unsigned opcode);
    void evex();
    void in_map(unsigned map, bool vex);

    // These record what is found out about the instruction (decoder.cpp).
    void goes(Effect what, std::uint64_t relative);
    void sets(unsigned reg, std::uint64_t value);
    void ends() { found_.effect = Effect::Ends; }
    void writes(unsigned reg) { found_.written |= set_of(reg); }
    void writes_rm();
    void writes_byte(unsigned reg);
    void writes_byte_rm();

    std::uint64_t address_;
    Instruction found_;
    bool is_relative_ = false;
    unsigned third_ = 0; // the additional register operand of VEX and EVEX
};

} // namespace vftr::patch
