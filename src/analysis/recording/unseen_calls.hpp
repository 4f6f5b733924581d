// SPDX-License-Identifier: BSD-3-Clause
//
// Calls that nothing counted (vfd::UnseenCalls), and their time.
//
// An unseen call takes as long as a call of the same path that was seen takes without its hooks. That time was measured
// as time of the innermost path around it that has no unseen calls, so it moves from there to the path of the call. It
// is part of the inclusive times of the paths in between. The unseen calls below one path cannot have taken more than
// the path's own time: if they add up to more, each of them is scaled by the same factor. So no time is negative, and
// the sum of all exclusive times stays the same.
//
// The time is as uncertain as the number of the calls and as the time of the calls that were seen; the path that gives
// it is as uncertain as all that it gives.
#pragma once

#include "analysis/recording/thread_times.hpp"

namespace vftr::analysis {

// Adds the unseen calls to the final times of the thread.
void add_unseen_calls(const vfd::ThreadView& thread, ThreadTimes& times);

} // namespace vftr::analysis
