// SPDX-License-Identifier: BSD-3-Clause
//
// All functions, each with the sums over its call paths.
#include "export/tables/tables.hpp"
#include "tui/view_spec.hpp"

namespace vftr::tui {

constexpr ViewSpec view_functions{
    .name = "functions",
    .title = "Functions",
    .help = "functions; Enter leads to callers and callees",
    .columns = "calls exclusive_ns inclusive_ns function",
    .sort = "exclusive_ns",
    .bar = "exclusive_ns",
    .name_column = "function",
    .depth = "",
    .group = "",
    .leads = ViewSpec::Leads::ToFunction,
    .there = [](const Scene&) { return true; },
    .grid = [](const Scene& scene) { return scene.grid(exports::functions_table); },
};

} // namespace vftr::tui
