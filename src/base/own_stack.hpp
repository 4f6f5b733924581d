// SPDX-License-Identifier: BSD-3-Clause
//
// Runs the larger jobs of the library on a stack of their own. A hook runs on its caller's stack, which may be that of
// a thread with 16 KiB, an alternate signal stack of 8 KiB, or what a deep recursion has left. The start
// (configuration, regular expressions) and the end (names, tables) need more.
#pragma once

#include <cstddef>

namespace vftr::base {

// Runs work(data) on a new stack of `bytes` and returns when it is done. It uses the caller's stack if there is no
// memory for a new one, if a sanitizer tracks the stack, or if a sandbox forbids to switch. `work` must not throw. Any
// thread may call it, also from within `work`. With Signals::Blocked, no signal handler runs in this thread meanwhile,
// so none can jump out.
enum class Signals { AsTheyAre, Blocked };
void on_own_stack(std::size_t bytes, Signals signals, void (*work)(void*), void* data);

// As on_own_stack with signals blocked, for frequent jobs: the stack is kept for the next job. Making a new one takes
// as long as ten short jobs.
inline constexpr std::size_t KeptStackBytes = 1 << 20;
void on_kept_stack(void (*work)(void*), void* data);

} // namespace vftr::base
