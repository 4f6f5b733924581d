// SPDX-License-Identifier: BSD-3-Clause
//
// Where the time of all threads went.
#include "export/tables/tables.hpp"
#include "tui/view_spec.hpp"

namespace vftr::tui {

constexpr ViewSpec view_time{
    .name = "time",
    .title = "Time",
    .help = "where the time of all threads went",
    .columns = "sum_ns min_ns min_rank max_ns max_rank activity",
    .sort = "sum_ns",
    .bar = "sum_ns",
    .name_column = "activity",
    .depth = "",
    .group = "",
    .leads = ViewSpec::Leads::Nowhere,
    .there = [](const Scene& scene) { return scene.profile().breakdown.sum() != 0; },
    .grid = [](const Scene& scene) { return scene.grid(exports::breakdown_table); },
};

} // namespace vftr::tui
