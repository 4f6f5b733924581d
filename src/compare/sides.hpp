// SPDX-License-Identifier: BSD-3-Clause
//
// The two sides of a comparison: the profiles of the runs before a change, and of those after it.
#pragma once

#include "analysis/profile/profile.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace vftr::compare {

inline constexpr std::size_t Base = 0, New = 1;
inline constexpr std::array SideNames = {"base", "new"};

template <class Value>
using PerSide = std::array<Value, 2>;

// By run. Neither side is empty.
using Runs = PerSide<std::vector<analysis::Profile>>;

} // namespace vftr::compare
