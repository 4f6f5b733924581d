// SPDX-License-Identifier: BSD-3-Clause
//
// The steps of merge() and canonicalise() that concern the durations of single calls.
#pragma once

#include "analysis/profile/profile.hpp"

#include <cstdint>
#include <vector>

namespace vftr::analysis {

// Adds the durations of `from`. `place` has the index in into.nodes of each node of `from`.
void add_durations(Profile& into, const Profile& from, const std::vector<std::uint32_t>& place);
// Replaces the nodes of the durations by their new indices, and sorts them.
void renumber_durations(Profile& profile, const std::vector<std::uint32_t>& place);

} // namespace vftr::analysis
