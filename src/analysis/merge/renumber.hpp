// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/profile/profile.hpp"

#include <cstdint>
#include <vector>

namespace vftr::analysis {

// Reorders the paths: the path with index order[i] becomes path i. The order must put callers before their callees and
// keep path 0 first.
void renumber(Profile& profile, const std::vector<std::uint32_t>& order);

} // namespace vftr::analysis
