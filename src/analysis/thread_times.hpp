// SPDX-License-Identifier: BSD-3-Clause
//
// The times of one thread's call paths, as they would be without us: the functions that have not returned yet are
// brought to an end, calls that were only counted get their share (vfd::Estimate), and what the hooks cost is taken
// away where it fell (compensation.hpp).
#pragma once

#include "vfd/image.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace vftr::analysis {

// Of a node, ticks. One cache line: many paths are much memory, and fetching that is most of the work, so that what is
// between the measured times and these has no memory of its own.
struct NodeTimes {
    std::uint64_t exclusive = 0, inclusive = 0;         // without the cost of the hooks
    std::uint64_t raw_exclusive = 0, raw_inclusive = 0; // with it
    double overhead = 0;                                // cost of the hooks of the path's own calls
    double scratch[3] = {};                             // of compensate()
};
static_assert(sizeof(NodeTimes) == 64);

// By node id; times are ticks.
struct ThreadTimes {
    std::vector<NodeTimes> of;
    std::vector<double>
        unknown; // of `exclusive`: how far off it may be as the hooks cost something else than was taken away
    std::uint64_t one_time_work = 0; // in the life, and in none of these (record/one_time_work.hpp)
    std::uint64_t life = 0;          // of the thread, with all that the hooks cost, but while it waited for a core: raw
                                     // exclusive times and one_time_work added up
    // Empty where the thread has no estimates.
    std::vector<std::uint64_t> count_only; // calls that were counted only
    std::vector<double> variance;          // of `exclusive`, ticks²; 0: it is exact
};

// When it ended, ticks; of a thread that lives on the latest known moment.
inline std::uint64_t end_of(const vfd::Image& image, const vfd::ThreadRecord& record) {
    return record.end ? record.end : std::max(image.end_ticks(), record.last);
}

// The open frames are closed at `end_ticks` exactly as the exit hook would close them, innermost
// first, so that the raw exclusive times and one_time_work add up to the thread's life. Nothing in the image changes.
ThreadTimes thread_times(const vfd::ThreadView& thread, const vfd::HookCosts& costs, std::uint64_t end_ticks);

} // namespace vftr::analysis
