// SPDX-License-Identifier: BSD-3-Clause
//
// The library's larger jobs, on a stack of their own. A hook runs on whatever stack its caller has: that of a thread
// with 16 KiB, an alternate signal stack of 8 KiB, what a deep recursion has left. Starting (configuration, regular
// expressions) and ending (names, tables) take more.
#pragma once

#include <cstddef>

namespace vftr::base {

// Runs work(data) on a new stack of `bytes` and returns when it has; on the caller's stack if there is no memory for
// one, or a sanitizer watches. No exception may leave `work`. May be called from any thread, also within itself.
// Signals::Blocked: no signal handler runs meanwhile on this thread, and none can jump out.
enum class Signals { AsTheyAre, Blocked };
void on_own_stack(std::size_t bytes, Signals signals, void (*work)(void*), void* data);

// The same for jobs that come often, with signals blocked: on a stack that stays when the job is done. To make one anew
// takes as long as ten short jobs.
inline constexpr std::size_t KeptStackBytes = 1 << 20;
void on_kept_stack(void (*work)(void*), void* data);

} // namespace vftr::base
