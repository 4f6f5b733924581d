// SPDX-License-Identifier: BSD-3-Clause
//
// The tree of processes as text: a line for each program, its columns first, so that a long command line can be cut.
#pragma once

#include "analysis/process_tree.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::report {

struct TreeStyle {
    std::size_t width = 120; // columns; 0: no limit
    // Beyond this many children of one process that run the same program and ended in the same way, the others are
    // summed up in one line. 0: none are.
    std::size_t most_alike = 10;
    std::vector<bool> shown; // by node: only these; empty: all
};

// Empty where nothing is shown, else ends with a newline. Trees are separated by a line that says when and where they
// began.
std::string process_tree_text(const analysis::ProcessTree& tree, const TreeStyle& style);

// Whether a file that begins with this text, at least 500 bytes or all of it, begins with such trees.
bool begins_as_process_tree(std::string_view text);

} // namespace vftr::report
