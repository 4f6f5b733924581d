// SPDX-License-Identifier: BSD-3-Clause
//
// The steps of merge() and canonicalise() that concern threads.
#pragma once

#include "analysis/profile/profile.hpp"

#include <cstdint>
#include <vector>

namespace vftr::analysis {

// Adds the threads of `from`. `place` has the index in into.nodes of each node of `from`.
void add_threads(Profile& into, const Profile& from, const std::vector<std::uint32_t>& place);
// Replaces the nodes of the threads by their new indices, and sorts the threads.
void renumber_threads(Profile& profile, const std::vector<std::uint32_t>& place);
// Drops all rows except those of the LongestThreads longest threads.
void keep_longest_threads(Profile& profile);

} // namespace vftr::analysis
