// SPDX-License-Identifier: BSD-3-Clause
//
// One instruction of x86-64 machine code: its length, where control may go from it, and which registers it may change.
//
// This partial decoder is small, whereas a disassembler library would have to be loaded into each program, and static
// programs could not load it at all. An unknown instruction ends the decoding, and the function that contains it is not
// changed. Sources: Intel SDM 2, appendix A (opcode maps), chapters 2.3 (VEX) and 2.7 (EVEX). The tests compare the
// results with Zydis where it is installed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace vftr::patch {

// Numbered as in the encoding of instructions.
enum Register : std::uint8_t { Rax, Rcx, Rdx, Rbx, Rsp, Rbp, Rsi, Rdi, R8, R9, R10, R11, R12, R13, R14, R15 };
using RegisterSet = std::uint16_t;
constexpr RegisterSet set_of(unsigned number) { return static_cast<RegisterSet>(1u << (number & 15)); }

enum class Effect : std::uint8_t {
    Else,
    Call,        // calls `target`
    CallThrough, // calls the address that is in memory at `target`
    CallElsewhere,
    Branch,       // jumps to `target`, or continues with the next instruction
    Jump,         // jumps to `target`
    JumpThrough,  // jumps to the address that is in memory at `target`
    JumpsTo,      // jumps to the address in `from`
    JumpsByTable, // jumps to one of the addresses in the table at `target`
    JumpElsewhere,
    Ends,       // returns, or traps
    Sets,       // `reg` becomes `target`
    Loads,      // `reg` becomes the 64 bits in memory at `target`
    Copies,     // `reg` becomes the value of `from`
    LoadsEntry, // `reg` becomes a sign-extended 32-bit entry of the table to which `from` points
    Adds,       // `reg` becomes the sum of `reg` and `from`
    Pops,       // `reg` becomes a value from the stack
};

struct Instruction {
    std::uint8_t length = 0;    // 0: the instruction is not known
    std::uint8_t opcode_at = 0; // offset of the opcode, which follows the prefixes
    // True if its prefixes would have no effect on the instructions by which sites.cpp replaces it.
    bool changeable = false;
    Effect effect = Effect::Else;
    Register reg = Rax, from = Rax;
    // All registers that it may change, and perhaps some more. For a call, only those that the instruction itself
    // changes.
    RegisterSet written = 0;
    std::uint64_t target = 0;
};

constexpr bool is_call(Effect what) {
    return what == Effect::Call || what == Effect::CallThrough || what == Effect::CallElsewhere;
}
// True if control never continues with the next instruction.
constexpr bool never_falls_through(Effect what) {
    return what == Effect::Jump || what == Effect::JumpThrough || what == Effect::JumpsTo ||
           what == Effect::JumpsByTable || what == Effect::JumpElsewhere || what == Effect::Ends;
}

// Decodes the first instruction of `code`, which is (or will be) executed at `address`.
Instruction decode(std::span<const std::uint8_t> code, std::uint64_t address);

} // namespace vftr::patch
