// SPDX-License-Identifier: BSD-3-Clause
//
// One-time work: what the recorder does occasionally on a thread, besides what each hook does. It begins the recording,
// makes a call path where a function is called for the first time, looks up the filter decision on it, patches hook
// calls out of the code, and ends the recording. That takes microseconds each, milliseconds at the begin and the end,
// and is not time of the program. So it is measured, cut out of the times of all functions that are running, and added
// up per thread (ThreadRecord::one_time_work) in the exclusive time of the root, where readers find it and subtract it.
#pragma once

#include "base/clock.hpp"
#include "record/hot/thread_state.hpp"

namespace vftr::record {

// Charges the time since `begin` (ticks), in which the hook of the calling thread did such work; the guard is held.
void charge_one_time_work(ThreadState& state, std::uint64_t begin);
// Ticks that have been cut out of the running functions so far: one-time work, preemptions and samples of hook costs.
std::uint64_t cut_out_so_far(const ThreadState& state);

} // namespace vftr::record
