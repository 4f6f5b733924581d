// SPDX-License-Identifier: BSD-3-Clause
//
// One instruction of x86-64 machine code: where it ends, where it may go on, and which registers may be different after
// it.
//
// This much of a decoder is small, and a disassembler library would be one more thing to be loaded into each program,
// where static programs could not load it at all. Instructions that are not known end the decoding, and nothing of the
// function that has one is touched. Sources: Intel SDM 2, appendix A (opcode maps), chapters 2.3 (VEX) and 2.7 (EVEX).
// The tests compare it with Zydis, where that is installed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace vftr::patch {

// As instructions number them.
enum Register : std::uint8_t { Rax, Rcx, Rdx, Rbx, Rsp, Rbp, Rsi, Rdi, R8, R9, R10, R11, R12, R13, R14, R15 };
using RegisterSet = std::uint16_t;
constexpr RegisterSet set_of(unsigned number) { return static_cast<RegisterSet>(1u << (number & 15)); }

enum class Does : std::uint8_t {
    Else,
    Call,        // to `target`
    CallThrough, // to what is in memory at `target`
    CallElsewhere,
    Branch,       // to `target`, or on
    Jump,         // to `target`
    JumpThrough,  // to what is in memory at `target`
    JumpsTo,      // to what `from` is
    JumpsByTable, // to one of the addresses in the table at `target`
    JumpElsewhere,
    Ends,       // returns, or goes nowhere
    Sets,       // `reg` becomes `target`
    Loads,      // `reg` becomes the 64 bits that are in memory at `target`
    Copies,     // `reg` becomes what `from` is
    LoadsEntry, // `reg` becomes a number of 32 bits, with its sign, of the table that begins where `from` leads
    Adds,       // `reg` becomes the sum of `reg` and `from`
    Pops,       // `reg` becomes what is on the stack
};

struct Instruction {
    std::uint8_t length = 0;    // 0: not known
    std::uint8_t opcode_at = 0; // behind the prefixes
    bool changeable = false;    // its prefixes would mean nothing to the instructions of which sites.cpp makes it one
    Does does = Does::Else;
    Register reg = Rax, from = Rax;
    RegisterSet written = 0; // all that may be, and some that are not; of a call, only what the instruction itself does
    std::uint64_t target = 0;
};

constexpr bool is_call(Does what) {
    return what == Does::Call || what == Does::CallThrough || what == Does::CallElsewhere;
}
// The next instruction does not follow.
constexpr bool goes_off(Does what) {
    return what == Does::Jump || what == Does::JumpThrough || what == Does::JumpsTo || what == Does::JumpsByTable ||
           what == Does::JumpElsewhere || what == Does::Ends;
}

// The first one of `code`, which is (or will be) executed at `address`.
Instruction decode(std::span<const std::uint8_t> code, std::uint64_t address);

} // namespace vftr::patch
