// SPDX-License-Identifier: BSD-3-Clause
//
// What matters, in the order of the log: causes before what follows from them.
#include "export/tables/tables.hpp"
#include "tui/view_spec.hpp"

namespace vftr::tui {

constexpr ViewSpec view_findings{
    .name = "findings",
    .title = "Findings",
    .help = "what matters; Enter leads to the call path",
    .columns = "share ns title text",
    .sort = "",
    .bar = "",
    .name_column = "text",
    .depth = "",
    .group = "",
    .leads = ViewSpec::Leads::ToPath,
    .there = [](const Scene& scene) { return scene.grid_with_waits(exports::findings_table)->rows() != 0; },
    .grid = [](const Scene& scene) { return scene.grid_with_waits(exports::findings_table); },
};

} // namespace vftr::tui
