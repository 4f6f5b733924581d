// SPDX-License-Identifier: BSD-3-Clause
//
// The step of merge() that makes one tree of two.
#pragma once

#include "analysis/profile/profile.hpp"

#include <cstdint>
#include <vector>

namespace vftr::analysis {

// Adds the paths that `into` lacks, with neither calls nor ranks. Returns the index in `into` of each path of `from`.
std::vector<std::uint32_t> unite_paths(Profile& into, const Profile& from);

} // namespace vftr::analysis
