// SPDX-License-Identifier: BSD-3-Clause
//
// Where a longjmp goes. The C library hides the stack pointer in a jmp_buf: it is xor-ed with a number of the process,
// and on x86-64 rotated. That number is found from a jmp_buf of our own, whose stack pointer is known; this is tried on
// another one first, so that a C library that does it in a third way is noticed.
#pragma once

#include <csetjmp>
#include <cstdint>

namespace vftr::flow {

// The stack pointer that the function that called setjmp had then; 0: cannot be found out here. In signal handlers too.
std::uint64_t target_of(const std::jmp_buf& buffer);

} // namespace vftr::flow
