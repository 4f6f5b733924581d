// SPDX-License-Identifier: BSD-3-Clause
//
// Writes the tree of processes as text: one line for each program, with the columns first, so that a long command line
// can be cut at the end.
#pragma once

#include "analysis/processes/process_tree.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::report {

struct TreeStyle {
    std::size_t width = 120; // columns; 0: no limit
    // If more children than this of one process ran the same program and ended in the same way, the others are summed
    // up in one line. 0: children are never summed up.
    std::size_t most_alike = 10;
    std::vector<bool> shown; // by node: whether it is shown; empty: all are
};

// Returns an empty string where nothing is shown; otherwise the text ends with a newline. Before each tree a line says
// when and where it began.
std::string process_tree_text(const analysis::ProcessTree& tree, const TreeStyle& style);

// Whether `text`, the beginning of a file (at least 500 bytes or the whole file), is that of such trees.
bool begins_as_process_tree(std::string_view text);

} // namespace vftr::report
