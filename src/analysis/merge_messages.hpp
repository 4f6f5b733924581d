// SPDX-License-Identifier: BSD-3-Clause
//
// The steps of merge() and canonicalise() that concern messages.
#pragma once

#include "analysis/profile.hpp"

#include <cstdint>
#include <vector>

namespace vftr::analysis {

// Adds the messages and pairs of `from`. place: the index in into.nodes of each node of `from`.
void add_messages(Profile& into, const Profile& from, const std::vector<std::uint32_t>& place);
// Gives the nodes that messages and pairs name their new index, and sorts.
void renumber_messages(Profile& profile, const std::vector<std::uint32_t>& place);
// In a job of more than ExactRanks ranks: all pairs but the HeaviestPairs are dropped.
// Which ones stay does not depend on the order of the nodes.
void keep_heaviest_pairs(Profile& profile);

} // namespace vftr::analysis
