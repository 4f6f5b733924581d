// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "config_tools/report/run_files.hpp"

#include "analysis/profile/duration_histogram.hpp"
#include "symbols/pattern.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace vftr::cli {

// The durations of single calls by the timelines of the files, or of one rank, for nodes of the profile of these
// (profile_table.show_distribution). Nothing where no file has a timeline of all calls.
std::optional<std::vector<analysis::PathDurations>>
durations_of_profile(const RunFiles& files, analysis::Profile profile, std::optional<std::int32_t> rank);

// Prints how long the single calls of the functions that match take (vftr report --histogram). Throws
// std::runtime_error where no function matches, or no file knows durations of single calls.
void print_histograms(const RunFiles& files, const symbols::Pattern& functions, std::optional<std::int32_t> rank);

} // namespace vftr::cli
