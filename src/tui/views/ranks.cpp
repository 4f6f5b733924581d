// SPDX-License-Identifier: BSD-3-Clause
//
// The ranks, each with what the head of its log says. One profile after the other is read, so that memory does not grow
// with their number.
#include "export/tables/tables.hpp"
#include "tui/view_spec.hpp"

#include <vector>

namespace vftr::tui {
namespace {

std::shared_ptr<const Grid> ranks_grid(const Scene& scene) {
    std::vector<exports::ColumnName> columns = exports::head_table.columns();
    columns.insert(columns.begin(), exports::ColumnName{"", "rank"});
    GridBuilder builder(columns);
    for (const std::int32_t rank : scene.source().ranks()) {
        const exports::Part part = scene.source().part_of_rank(rank);
        builder.set_first(rank);
        exports::head_table.put_rows({scene.source().subject(), part}, builder);
    }
    return std::make_shared<const Grid>(std::move(builder).grid());
}

} // namespace

constexpr ViewSpec view_ranks{
    .name = "ranks",
    .title = "Ranks",
    .help = "the times of each rank; Enter leads to its profile",
    .columns = "rank runtime_ns application_ns overhead_ns cpu_ns",
    .sort = "",
    .bar = "application_ns",
    .name_column = "",
    .depth = "",
    .group = "",
    .leads = ViewSpec::Leads::ToRank,
    .there = [](const Scene& scene) { return scene.all_ranks() && scene.source().ranks().size() > 1; },
    .grid = ranks_grid,
};

} // namespace vftr::tui
