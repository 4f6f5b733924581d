// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/profile.hpp"

#include <cstdint>
#include <vector>

namespace vftr::analysis {

// Brings the paths into an order: order[i] is the index of the path that becomes path i. Callers precede their callees,
// and path 0 stays.
void renumber(Profile& profile, const std::vector<std::uint32_t>& order);

} // namespace vftr::analysis
