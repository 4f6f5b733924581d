// SPDX-License-Identifier: BSD-3-Clause
//
// The cells that tell how long single calls take, and what is to be known of them.
#pragma once

#include "analysis/profile/duration_histogram.hpp"

#include <array>
#include <string>
#include <vector>

namespace vftr::report {

inline constexpr std::array DistributionTitles = {"min", "median", "90 %", "99 %", "max"};
inline constexpr const char* DistributionNote =
    "min, median, 90 %, 99 %, max: how long single calls take that were timed, from begin to end, with all that they call and what the hooks cost in them; "
    "one that stands for calls that were only counted counts as all of these; median, 90 % and 99 % are within 20 %\n";
inline constexpr const char* TimelineDistributionNote =
    "min, median, 90 %, 99 %, max: how long single calls take, from begin to end by the timeline: with all that they call, what the hooks cost in them and waits for a core; "
    "median, 90 % and 99 % are within 12.5 %\n";

// A cell for each title. nullptr: they are not known.
std::vector<std::string> distribution_texts(const analysis::DurationHistogram* durations);

} // namespace vftr::report
