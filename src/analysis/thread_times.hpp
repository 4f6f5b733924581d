// SPDX-License-Identifier: BSD-3-Clause
//
// The times of one thread's call paths, with the functions that have not returned yet brought to an
// end.
#pragma once

#include "vfd/image.hpp"

#include <cstdint>
#include <vector>

namespace vftr::analysis {

// Ticks, by node id.
struct ThreadTimes {
    // inclusive = exclusive + the inclusive of the callees, without what was done for other paths meanwhile: while a thread waits in a
    // barrier it may execute a task of another one, which is that one's time (vfd/format.hpp, Attached).
    std::vector<std::uint64_t> exclusive, inclusive;
    std::vector<std::uint64_t> elsewhere; // what was done for other paths meanwhile; empty: nothing by this thread
};

// The open frames are closed at `end_ticks` exactly as the exit hook would close them, innermost
// first, so that the exclusive times add up to the thread's life. Nothing in the image changes.
ThreadTimes thread_times(const vfd::ThreadView& thread, std::uint64_t end_ticks);

} // namespace vftr::analysis
