// SPDX-License-Identifier: BSD-3-Clause
//
// Where ranks waited for each other.
#include "export/tables/tables.hpp"
#include "tui/view_spec.hpp"

namespace vftr::tui {

constexpr ViewSpec view_waits{
    .name = "waits",
    .title = "Waits",
    .help = "where ranks waited; Enter leads to the call path",
    .columns = "waits ns worst_rank_ns worst_rank cause_rank state function",
    .sort = "ns",
    .bar = "ns",
    .name_column = "function",
    .depth = "",
    .group = "",
    .leads = ViewSpec::Leads::ToPath,
    .there =
        [](const Scene& scene) { return scene.waits() && scene.grid_with_waits(exports::waits_table)->rows() != 0; },
    .grid = [](const Scene& scene) { return scene.grid_with_waits(exports::waits_table); },
};

} // namespace vftr::tui
