// SPDX-License-Identifier: BSD-3-Clause
//
// The call tree, to be opened and closed.
#include "export/tables/tables.hpp"
#include "tui/view_spec.hpp"

namespace vftr::tui {

constexpr ViewSpec view_tree{
    .name = "tree",
    .title = "Tree",
    .help = "call paths; Enter opens and closes a row",
    .columns = "calls exclusive_ns inclusive_ns function",
    .sort = "inclusive_ns",
    .bar = "inclusive_ns",
    .name_column = "function",
    .depth = "depth",
    .group = "",
    .leads = ViewSpec::Leads::Nowhere,
    .there = [](const Scene&) { return true; },
    .grid = [](const Scene& scene) { return scene.grid(exports::paths_table); },
};

} // namespace vftr::tui
