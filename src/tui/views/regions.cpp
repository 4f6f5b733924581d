// SPDX-License-Identifier: BSD-3-Clause
//
// The parallel regions of OpenMP.
#include "export/tables/tables.hpp"
#include "tui/view_spec.hpp"

namespace vftr::tui {

constexpr ViewSpec view_regions{
    .name = "regions",
    .title = "OpenMP",
    .help = "parallel regions; t_wait is of all their threads",
    .columns = "calls largest_team region_ns wait_ns imbalance_percent path function",
    .sort = "region_ns",
    .bar = "region_ns",
    .name_column = "function",
    .depth = "",
    .group = "",
    .leads = ViewSpec::Leads::ToPath,
    .there = [](const Scene& scene) { return !scene.profile().regions.empty(); },
    .grid = [](const Scene& scene) { return scene.grid(exports::openmp_regions_table); },
};

} // namespace vftr::tui
