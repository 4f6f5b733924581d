// SPDX-License-Identifier: BSD-3-Clause
//
// The calls of our hooks that are certainly made with one function, in a piece of machine code.
//
// A compiler inlines functions with their hook calls, so in the text of one function there may be hook calls for many, and only those of
// one are to go. Which function a call is for is its first argument (rdi). Compilers put it there just before, or
// keep it in a register that calls leave alone; so the values of registers are followed through the code:
//
//   * within a straight line. At each place that a jump of this text leads to, what is known ends; so does it behind calls that may not
//     return (all but those of hooks): what stands there may be reached otherwise, like the part that catches an exception.
//   * through all of the text for a register that calls leave alone (rbx, rbp, r12 … r15) and that is never given another value, but for the
//     caller's that it gets back at the end: wherever it is used as a function's address, it has that one.
//
// The targets of jumps through tables are not known. For a hook call with a wrong function to be taken out, such a jump would have to
// lead between where rdi is set and the call, to a call that is shared by functions: compilers join equal ends of
// straight lines by direct jumps, and begin a case of a table where it is complete.
//
// The code is read from the begin of the function to its end. If an instruction is not known there, or a jump leads into the midst of
// another one, then what we read is not what is executed, and there are no sites.
#pragma once

#include "patch/hook_calls.hpp"

#include <cstdint>
#include <span>

namespace vftr::patch {

// One byte that makes a call of a hook harmless.
struct Site {
    std::uint64_t address = 0;
    std::uint8_t was = 0, becomes = 0;
    std::uint8_t rest[4] = {}; // of the instruction, as it stays, behind that byte
};

// Text that begins at `address`.
struct Code {
    std::uint64_t address = 0;
    std::span<const std::uint8_t> bytes;
};

constexpr std::size_t bytes_of_marks(std::size_t code) { return (code + 8) / 8; }

// Gives each site to found(context, site). marks: bytes_of_marks(code.bytes.size()), all 0.
using FoundSite = void(void* context, const Site& site);
void find_sites(Code code, std::uint64_t function, const Text& text, HookCalls& calls, std::span<std::uint8_t> marks, FoundSite* found,
                void* context);

} // namespace vftr::patch
