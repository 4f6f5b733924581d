// SPDX-License-Identifier: BSD-3-Clause
#include "compare/matched_tree.hpp"

#include "compare/moves.hpp"
#include "compare/renames.hpp"

#include <cstdint>
#include <vector>

namespace vftr::compare {

CombinedTree matched_tree(const Runs& runs) {
    CombinedTree tree(runs);
    constexpr int MostRounds = 10; // below a renamed function there may be another one
    for (int round = 0; round < MostRounds; ++round) {
        const std::vector<Rename> renames = find_renames(tree);
        if (renames.empty())
            break;
        tree.rename(runs, renames);
    }
    if (const std::vector<std::uint32_t> moved_to = find_moves(tree); !moved_to.empty())
        tree.move_base(moved_to);
    return tree;
}

} // namespace vftr::compare
