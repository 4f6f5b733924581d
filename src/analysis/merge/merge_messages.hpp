// SPDX-License-Identifier: BSD-3-Clause
//
// The steps of merge() and canonicalise() that concern messages.
#pragma once

#include "analysis/profile/profile.hpp"

#include <cstdint>
#include <vector>

namespace vftr::analysis {

// Adds the messages and pairs of `from`. `place` has the index in into.nodes of each node of `from`.
void add_messages(Profile& into, const Profile& from, const std::vector<std::uint32_t>& place);
// Replaces the nodes of messages and pairs by their new indices, and sorts both.
void renumber_messages(Profile& profile, const std::vector<std::uint32_t>& place);
// In a job of more than ExactRanks ranks, drops all pairs except the HeaviestPairs heaviest ones. Which pairs stay does
// not depend on the order of the nodes.
void keep_heaviest_pairs(Profile& profile);

} // namespace vftr::analysis
