// SPDX-License-Identifier: BSD-3-Clause
//
// Sends requests to Valgrind, which runs a translated copy of the program's machine code. It recognises a certain
// sequence of instructions, which has no effect elsewhere, as a request ("Client requests" in the Valgrind manual; the
// numbers are from valgrind.h, helgrind.h and drd.h). Any thread may use it; it takes no system call. A tool ignores
// the requests of other tools.
#pragma once

#include <cstdint>

namespace vftr::base {

enum class ValgrindRequest : std::uint64_t {
    RunningOn = 0x1001,       // returns the number of nested Valgrinds
    RegisterStack = 0x1501,   // arguments: lowest and highest address; returns an id
    DeregisterStack = 0x1502, // argument: the id
    // Requests of the tool Helgrind ("HG" in the upper half).
    // Arguments: address and bytes; accesses are not checked until the memory is mapped anew.
    HelgrindUntrack = 0x48470127,
    // Requests of the tool DRD ("DR" in the upper half).
    DrdThread = 0x44520001,   // returns the number of the calling thread; 0 with any other tool
    DrdSuppress = 0x44520002, // as HelgrindUntrack
};

// Returns 0 without Valgrind.
inline std::uint64_t ask_valgrind([[maybe_unused]] ValgrindRequest request, [[maybe_unused]] std::uint64_t first = 0,
                                  [[maybe_unused]] std::uint64_t second = 0) {
    std::uint64_t answer = 0;
#if defined(__x86_64__)
    const std::uint64_t question[6] = {static_cast<std::uint64_t>(request), first, second};
    asm volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
                 : "+d"(answer)
                 : "a"(question)
                 : "cc", "memory", "rdi");
#elif defined(__aarch64__)
    const std::uint64_t question[6] = {static_cast<std::uint64_t>(request), first, second};
    register std::uint64_t in_and_out asm("x3") = 0;
    register const std::uint64_t* from asm("x4") = question;
    asm volatile("ror x12, x12, #3; ror x12, x12, #13; ror x12, x12, #51; ror x12, x12, #61; orr x10, x10, x10"
                 : "+r"(in_and_out)
                 : "r"(from)
                 : "cc", "memory");
    answer = in_and_out;
#endif
    return answer;
}

} // namespace vftr::base
