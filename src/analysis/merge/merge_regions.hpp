// SPDX-License-Identifier: BSD-3-Clause
//
// The steps of merge() and canonicalise() that concern parallel regions.
#pragma once

#include "analysis/profile/profile.hpp"

#include <cstdint>
#include <vector>

namespace vftr::analysis {

// Adds the regions of `from`. `place` has the index in into.nodes of each node of `from`.
void add_regions(Profile& into, const Profile& from, const std::vector<std::uint32_t>& place);
// Replaces the nodes of the regions by their new indices, and sorts the regions.
void renumber_regions(Profile& profile, const std::vector<std::uint32_t>& place);

} // namespace vftr::analysis
