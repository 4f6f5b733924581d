// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "compare/combined_tree.hpp"
#include "compare/sides.hpp"

namespace vftr::compare {

// The tree of all runs with renamed functions and moved subtrees matched (README.md).
CombinedTree matched_tree(const Runs& runs);

} // namespace vftr::compare
