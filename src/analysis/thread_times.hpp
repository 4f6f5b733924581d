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
    std::vector<std::uint64_t> exclusive, inclusive;
};

// The open frames are closed at `end_ticks` exactly as the exit hook would close them, innermost
// first, so that the exclusive times add up to the thread's life. Nothing in the image changes.
ThreadTimes thread_times(const vfd::ThreadView& thread, std::uint64_t end_ticks);

} // namespace vftr::analysis
