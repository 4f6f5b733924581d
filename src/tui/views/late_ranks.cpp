// SPDX-License-Identifier: BSD-3-Clause
//
// The ranks that others waited for in collective calls.
#include "export/tables/tables.hpp"
#include "tui/view_spec.hpp"

namespace vftr::tui {

constexpr ViewSpec view_late_ranks{
    .name = "late_ranks",
    .title = "Late ranks",
    .help = "ranks that others waited for; Enter leads to the rank",
    .columns = "rank late_calls calls others_waited_ns function",
    .sort = "others_waited_ns",
    .bar = "others_waited_ns",
    .name_column = "function",
    .depth = "",
    .group = "",
    .leads = ViewSpec::Leads::ToRank,
    .there =
        [](const Scene& scene) {
            return scene.waits() && scene.grid_with_waits(exports::late_ranks_table)->rows() != 0;
        },
    .grid = [](const Scene& scene) { return scene.grid_with_waits(exports::late_ranks_table); },
};

} // namespace vftr::tui
