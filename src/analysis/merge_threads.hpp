// SPDX-License-Identifier: BSD-3-Clause
//
// The steps of merge() and canonicalise() that concern threads.
#pragma once

#include "analysis/profile.hpp"

#include <cstdint>
#include <vector>

namespace vftr::analysis {

// Adds the threads of `from`. place: the index in into.nodes of each node of `from`.
void add_threads(Profile& into, const Profile& from, const std::vector<std::uint32_t>& place);
// Gives the nodes that threads name their new index, and sorts.
void renumber_threads(Profile& profile, const std::vector<std::uint32_t>& place);
// Drops all rows but those of the LongestThreads.
void keep_longest_threads(Profile& profile);

} // namespace vftr::analysis
