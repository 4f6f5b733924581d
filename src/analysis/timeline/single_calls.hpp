// SPDX-License-Identifier: BSD-3-Clause
//
// How long the single calls of call paths or functions take, from the timelines of a run. Only processes whose timeline
// has all calls are taken: with a sampling interval it shows when one call in many began or ended. A call whose end the
// timeline has not is left out. A duration is that of the call with all that it calls, and with what the hooks cost in
// it.
//
// The memory is that of a histogram for each group, however many calls there are.
#pragma once

#include "analysis/profile/duration_histogram.hpp"
#include "analysis/timeline/run_timeline.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vftr::analysis {

struct SingleCall {
    std::uint64_t ns, begin; // the begin is since the start of the run
    std::uint32_t path;      // index into RunTimeline::paths().nodes
    std::uint32_t thread;    // index into RunTimeline::threads()
};

// Calls that are looked at together.
struct CallGroup {
    DurationHistogram durations;
    std::vector<SingleCall> longest; // the longest is first
};

inline constexpr std::uint32_t NoGroup = ~std::uint32_t{0};

// Whether a process of the run has all calls in its timeline.
bool has_single_calls(const RunTimeline& run);

// By group. `group_of` has the group of each path, or NoGroup; paths behind its end have none. Of each group the
// longest calls are kept, so many at most.
std::vector<CallGroup> single_calls(const RunTimeline& run, std::span<const std::uint32_t> group_of, std::size_t groups,
                                    std::size_t most_longest);

// The durations of the calls of each path that has any, sorted by path.
std::vector<PathDurations> durations_by_path(const RunTimeline& run);

} // namespace vftr::analysis
