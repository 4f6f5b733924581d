// SPDX-License-Identifier: BSD-3-Clause
//
// The call tree as viewers want it: each path directly before what it calls.
#pragma once

#include "analysis/profile/profile.hpp"

#include <cstdint>
#include <vector>

namespace vftr::exports {

struct Visit {
    std::uint32_t node;
    std::uint32_t depth; // the root has 0
};

// Children come in the order of the profile's nodes. Uses no recursion, as trees are thousands of calls deep.
std::vector<Visit> depth_first(const analysis::Profile& profile);

} // namespace vftr::exports
