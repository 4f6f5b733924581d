// SPDX-License-Identifier: BSD-3-Clause
//
// The messages of one process's recording, from its Traffic records and groups (vfd/format.hpp).
//
// Why by windows. A transfer to a group is a message to or from each of its members, and several
// groups may hold one rank: the sums of pairs are only known when all groups are laid over each
// other. That is done for a few thousand ranks at a time, so that the memory does not grow with the
// ranks of the job; what is not among the heaviest pairs is dropped after each window.
#pragma once

#include "analysis/profile.hpp"
#include "vfd/image.hpp"

#include <functional>

namespace vftr::analysis {

// The index in Profile::nodes of a node of the recording's thread; NoNode: there is no such path.
using PlaceOfNode = std::function<std::uint32_t(std::uint32_t thread, std::uint32_t node)>;

// Fills what Profile has of messages, world_size included. The rest of it is complete, of this
// rank. per_callpath: pairs of ranks are kept apart by call path.
void fill_messages(Profile& profile, const vfd::Image& image, const PlaceOfNode& place, bool per_callpath);

} // namespace vftr::analysis
