// SPDX-License-Identifier: BSD-3-Clause
//
// The threads with the longest times.
#include "export/tables/tables.hpp"
#include "tui/view_spec.hpp"

namespace vftr::tui {

constexpr ViewSpec view_threads{
    .name = "threads",
    .title = "Threads",
    .help = "threads, of those with the longest times",
    .columns = "rank thread life_ns cpu_ns in_functions_ns calls start_function",
    .sort = "in_functions_ns",
    .bar = "in_functions_ns",
    .name_column = "start_function",
    .depth = "",
    .group = "",
    .leads = ViewSpec::Leads::Nowhere,
    .there = [](const Scene& scene) { return scene.profile().threads.size() > 1; },
    .grid = [](const Scene& scene) { return scene.grid(exports::threads_table); },
};

} // namespace vftr::tui
