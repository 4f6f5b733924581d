// SPDX-License-Identifier: BSD-3-Clause
//
// Where ranks waited for each other, and for whom, as vftr waits prints it. Files of profiles have neither, as waits
// are known from timelines alone (Part::waits).
#include "export/tables/tables.hpp"

namespace vftr::exports {

namespace {

struct WaitRow {
    const TablePart& part;
    const analysis::WaitSum& sum;
};

constexpr Column<WaitRow> WaitColumns[] = {
    {"waits", [](const WaitRow& row, Cell& cell) { cell.number(row.sum.waits); }},
    {"ns", [](const WaitRow& row, Cell& cell) { cell.number(row.sum.ns); }},
    {"worst_rank_ns", [](const WaitRow& row, Cell& cell) { cell.number(row.sum.worst_ns); }},
    {"worst_rank", [](const WaitRow& row, Cell& cell) { cell.number(row.sum.worst_rank); }},
    {"state", [](const WaitRow& row, Cell& cell) { cell.text(name_of(row.sum.state)); }},
    {"path", [](const WaitRow& row, Cell& cell) { cell.number(row.part.profile.stid(row.sum.path)); }},
    {"function", [](const WaitRow& row, Cell& cell) { cell.text(row.part.names.of(row.sum.path)); }},
    {"path_ns", [](const WaitRow& row, Cell& cell) { cell.number(row.part.profile.nodes[row.sum.path].inclusive); }},
    {"cause_ns",
     [](const WaitRow& row, Cell& cell) {
         if (row.sum.cause_ns != 0)
             cell.number(row.sum.cause_ns);
     }},
    {"cause_rank",
     [](const WaitRow& row, Cell& cell) {
         if (row.sum.cause_ns != 0)
             cell.number(row.sum.cause_rank);
     }},
};

void put_waits(const TablePart& part, TableSink& sink) {
    if (part.waits)
        for (const analysis::WaitSum& sum : part.waits->sums)
            put_row(WaitColumns, WaitRow{part, sum}, sink);
}

struct LateRow {
    const TablePart& part;
    const analysis::LateSum& sum;
};

constexpr Column<LateRow> LateColumns[] = {
    {"rank", [](const LateRow& row, Cell& cell) { cell.number(row.sum.rank); }},
    {"late_calls", [](const LateRow& row, Cell& cell) { cell.number(row.sum.late); }},
    {"calls", [](const LateRow& row, Cell& cell) { cell.number(row.sum.calls); }},
    {"others_waited_ns", [](const LateRow& row, Cell& cell) { cell.number(row.sum.ns); }},
    {"path", [](const LateRow& row, Cell& cell) { cell.number(row.part.profile.stid(row.sum.path)); }},
    {"function", [](const LateRow& row, Cell& cell) { cell.text(row.part.names.of(row.sum.path)); }},
};

void put_late_ranks(const TablePart& part, TableSink& sink) {
    if (part.waits)
        for (const analysis::LateSum& sum : part.waits->late)
            put_row(LateColumns, LateRow{part, sum}, sink);
}

} // namespace

constexpr Table waits_table{"waits", "waits in one state on one call path", names_of<WaitColumns>, put_waits};
constexpr Table late_ranks_table{"late_ranks", "a rank that others waited for on a call path", names_of<LateColumns>,
                                 put_late_ranks};

} // namespace vftr::exports
