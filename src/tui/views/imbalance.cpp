// SPDX-License-Identifier: BSD-3-Clause
//
// Call paths with the ranks that take most and least time in them.
#include "export/tables/tables.hpp"
#include "tui/view_spec.hpp"

namespace vftr::tui {

constexpr ViewSpec view_imbalance{
    .name = "imbalance",
    .title = "Imbalance",
    .help = "call paths, with the ranks that take most and least time",
    .columns = "exclusive_max_ns exclusive_max_rank exclusive_min_ns exclusive_min_rank id function",
    .sort = "exclusive_max_ns",
    .bar = "exclusive_max_ns",
    .name_column = "function",
    .depth = "",
    .group = "",
    .leads = ViewSpec::Leads::ToPath,
    .there = [](const Scene& scene) { return scene.profile().rank_count > 1; },
    .grid = [](const Scene& scene) { return scene.grid(exports::paths_table); },
};

} // namespace vftr::tui
