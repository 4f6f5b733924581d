// SPDX-License-Identifier: BSD-3-Clause
//
// Where a longjmp goes. The C library hides the stack pointer in a jmp_buf: it is xor-ed with a number that is constant
// in the process, and on x86-64 rotated. The library computes that number from a jmp_buf of its own, whose stack
// pointer is known, and checks it with a second one, so that a C library that encodes it in another way is recognised.
#pragma once

#include <csetjmp>
#include <cstdint>

namespace vftr::flow {

// The stack pointer that the caller of setjmp had at that time; 0 if it cannot be found out on this machine or with
// this C library. May be called in signal handlers.
std::uint64_t target_of(const std::jmp_buf& buffer);

} // namespace vftr::flow
