// SPDX-License-Identifier: BSD-3-Clause
//
// What has changed between two runs, as views show it. Whoever compares runs makes it, so that this room needs no
// statistics.
#pragma once

#include "tui/grid.hpp"

#include <memory>
#include <string>
#include <vector>

namespace vftr::tui {

struct Difference {
    std::string answer;             // a sentence
    std::vector<std::string> notes; // what a reader must know of the figures; sentences
    std::shared_ptr<const Grid> functions, paths;
};

} // namespace vftr::tui
