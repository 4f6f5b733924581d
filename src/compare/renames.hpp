// SPDX-License-Identifier: BSD-3-Clause
//
// Functions that have another name in the new side: README.md says what makes one. Evidence is collected over all
// places of the tree, and a function gets the new name that most places tell of.
#pragma once

#include "compare/combined_tree.hpp"

#include <vector>

namespace vftr::compare {

// Each function occurs once at most.
std::vector<Rename> find_renames(const CombinedTree& tree);

} // namespace vftr::compare
