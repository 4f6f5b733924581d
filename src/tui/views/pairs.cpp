// SPDX-License-Identifier: BSD-3-Clause
//
// Who sends to whom: the communication matrix, row by row.
#include "export/tables/tables.hpp"
#include "tui/view_spec.hpp"

namespace vftr::tui {

constexpr ViewSpec view_pairs{
    .name = "pairs",
    .title = "Communication",
    .help = "pairs of ranks with the messages between them",
    .columns = "from_rank to_rank messages bytes message_time_ns",
    .sort = "bytes",
    .bar = "bytes",
    .name_column = "",
    .depth = "",
    .group = "",
    .leads = ViewSpec::Leads::Nowhere,
    .there = [](const Scene& scene) { return !scene.profile().matrix.empty(); },
    .grid = [](const Scene& scene) { return scene.grid(exports::message_matrix_table); },
};

} // namespace vftr::tui
