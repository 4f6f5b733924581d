// SPDX-License-Identifier: BSD-3-Clause
//
// The times of one thread's call paths as they would be without recording: functions that have not returned are treated
// as if they returned now, calls that were only counted get their estimated share (vfd::Estimate), and the cost of the
// hooks is subtracted from the times that contain it (compensation.hpp).
#pragma once

#include "vfd/image.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace vftr::analysis {

// The times of one node, in ticks, in one cache line. With many paths most of the work is to fetch this memory, so the
// intermediate results between the measured times and the final ones use the same memory.
struct NodeTimes {
    std::uint64_t exclusive = 0, inclusive = 0;         // without the cost of the hooks
    std::uint64_t raw_exclusive = 0, raw_inclusive = 0; // with it
    double overhead = 0;                                // cost of the hooks of the path's own calls
    double scratch[3] = {};                             // intermediate results of compensate()
};
static_assert(sizeof(NodeTimes) == 64);

// A number of calls, and half the width of its 95 % confidence interval.
struct UnseenNumber {
    std::uint64_t calls = 0, error = 0;
};

// By node id; times are ticks.
struct ThreadTimes {
    std::vector<NodeTimes> of;
    // By how much `exclusive` may be wrong because the cost of the hooks is not known exactly.
    std::vector<double> unknown;
    std::uint64_t one_time_work = 0; // part of `life`, but in no node's times (record/timing/one_time_work.hpp)
    std::uint64_t life = 0; // the thread's life without its waits for a core, with the cost of the hooks: raw exclusive
                            // times plus one_time_work
    double claimed = 0;     // what all hooks cost by the model, also that for which the paths' times do not suffice
    double overhead_error = 0; // by how much the sum of `overhead` may be wrong, with 95 % confidence
    // Empty where the thread has no estimates.
    std::vector<std::uint64_t> count_only; // calls that were counted only
    std::vector<double> variance;          // of `exclusive`, ticks²; 0: it is exact
    std::vector<UnseenNumber> unseen;      // calls that were not counted (unseen_calls.hpp)
};

// The cost of the hooks of all paths.
inline double overhead_of(const ThreadTimes& times) {
    double overhead = 0;
    for (const NodeTimes& node : times.of)
        overhead += node.overhead;
    return overhead;
}

// When the thread ended, in ticks; for a thread that still runs, the latest known moment.
inline std::uint64_t end_of(const vfd::Image& image, const vfd::ThreadRecord& record) {
    return record.end ? record.end : std::max(image.end_ticks(), record.last);
}

// The open frames are closed at `end_ticks` exactly as the exit hook would close them, innermost
// first, so that the raw exclusive times and one_time_work add up to the thread's life. Nothing in the image changes.
ThreadTimes thread_times(const vfd::ThreadView& thread, const vfd::HookCosts& costs, std::uint64_t end_ticks);

} // namespace vftr::analysis
