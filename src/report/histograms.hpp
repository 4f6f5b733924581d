// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/timeline/run_timeline.hpp"
#include "symbols/pattern.hpp"

#include <string>

namespace vftr::report {

// How long the single calls of the functions that match take: a table, and of those with most time in their calls a
// histogram; where the run has a timeline of all calls, by that, and with the longest calls, else by the calls that
// were timed (Profile::durations). Throws std::runtime_error where no function matches, or nothing knows durations.
std::string make_histograms(const analysis::RunTimeline& run, const symbols::Pattern& functions);

} // namespace vftr::report
