// SPDX-License-Identifier: BSD-3-Clause
//
// How long the single calls of each call path take.
#include "export/tables/tables.hpp"
#include "tui/view_spec.hpp"

namespace vftr::tui {

constexpr ViewSpec view_durations{
    .name = "durations",
    .title = "Durations",
    .help = "how long single calls take, with all that they call",
    .columns = "timed_calls shortest_call_ns median_call_ns p90_call_ns p99_call_ns longest_call_ns id function",
    .sort = "longest_call_ns",
    .bar = "longest_call_ns",
    .name_column = "function",
    .depth = "",
    .group = "",
    .leads = ViewSpec::Leads::ToPath,
    .there = [](const Scene& scene) { return !scene.profile().durations.empty(); },
    .grid = [](const Scene& scene) { return scene.grid(exports::paths_table); },
};

} // namespace vftr::tui
