// SPDX-License-Identifier: BSD-3-Clause
//
// The parallel regions of OpenMP.
#include "export/tables/tables.hpp"

namespace vftr::exports {

namespace {

struct RegionRow {
    const TablePart& part;
    const analysis::OpenMpRegion& region;
};

constexpr Column<RegionRow> RegionColumns[] = {
    {"path", [](const RegionRow& row, Cell& cell) { cell.number(row.part.profile.stid(row.region.node)); }},
    {"function", [](const RegionRow& row, Cell& cell) { cell.text(row.part.names.of(row.region.node)); }},
    {"calls", [](const RegionRow& row, Cell& cell) { cell.number(row.part.profile.nodes[row.region.node].calls); }},
    {"largest_team", [](const RegionRow& row, Cell& cell) { cell.number(row.region.threads); }},
    {"region_ns", [](const RegionRow& row, Cell& cell) { cell.number(row.region.time); }},
    {"team_ns", [](const RegionRow& row, Cell& cell) { cell.number(row.region.team); }},
    {"wait_ns", [](const RegionRow& row, Cell& cell) { cell.number(row.region.wait); }},
    {"busiest_ns", [](const RegionRow& row, Cell& cell) { cell.number(row.region.busiest); }},
    {"average_ns", [](const RegionRow& row, Cell& cell) { cell.number(row.region.average); }},
    {"imbalance_percent", [](const RegionRow& row, Cell& cell) { cell.real(row.region.imbalance()); }},
};

void put_regions(const TablePart& part, TableSink& sink) {
    for (const analysis::OpenMpRegion& region : part.profile.regions)
        put_row(RegionColumns, RegionRow{part, region}, sink);
}

} // namespace

constexpr Table openmp_regions_table{"openmp_regions", "a parallel region", names_of<RegionColumns>, put_regions};

} // namespace vftr::exports
