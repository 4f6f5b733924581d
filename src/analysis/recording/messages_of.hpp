// SPDX-License-Identifier: BSD-3-Clause
//
// Reads the messages of one process's recording from its Traffic records and groups (vfd/format.hpp).
//
// Why it works in windows of ranks. A transfer to a group is a message to or from each of its members, and a rank may
// be a member of several groups. So the sum of a pair is only known after the transfers of all groups have been added.
// That is done for a few thousand ranks at a time, so that the memory does not grow with the number of ranks; after
// each window all but the heaviest pairs are dropped.
#pragma once

#include "analysis/profile/profile.hpp"
#include "vfd/image.hpp"

#include <functional>

namespace vftr::analysis {

// Returns the index in Profile::nodes for a node of a thread (given by ThreadRecord::index); NoNode where there is no
// such path.
using PathOfNode = std::function<std::uint32_t(std::uint32_t thread, std::uint32_t node)>;

// Fills the members of Profile that concern messages, including world_size. The rest of the profile, which is that of
// this rank, must be complete. With per_callpath, pairs of ranks have separate cells for each call path.
void fill_messages(Profile& profile, const vfd::Image& image, const PathOfNode& place, bool per_callpath);

} // namespace vftr::analysis
