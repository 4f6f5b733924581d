// SPDX-License-Identifier: BSD-3-Clause
//
// The rows of a comparison of call paths by place, for those who show them as a tree.
#pragma once

#include "compare/combined_tree.hpp"
#include "compare/comparison.hpp"

#include <cstddef>
#include <vector>

namespace vftr::compare {

// By place; nullptr: no run has the path, as it has moved.
std::vector<const Row*> rows_by_place(const Comparison& paths, const CombinedTree& tree);

// By place: the time with all that the path calls.
std::vector<double> inclusive_times(const std::vector<const Row*>& rows, const CombinedTree& tree, std::size_t side);

} // namespace vftr::compare
