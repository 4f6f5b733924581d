// SPDX-License-Identifier: BSD-3-Clause
//
// Subtrees that the new side has below another caller: README.md says what makes one.
#pragma once

#include <cstdint>
#include <vector>

namespace vftr::compare {

class CombinedTree;

// By place of the base: the place where the new side has it; Nowhere: it has not moved. Empty: nothing has.
std::vector<std::uint32_t> find_moves(const CombinedTree& tree);

} // namespace vftr::compare
