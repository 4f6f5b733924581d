// SPDX-License-Identifier: BSD-3-Clause
//
// The threads with the longest times, and the sums over all.
#include "export/tables/tables.hpp"
#include "vfd/format.hpp"

namespace vftr::exports {

namespace {

struct ThreadTableRow {
    const TablePart& part;
    const analysis::ThreadRow& thread;
};

constexpr Column<ThreadTableRow> ThreadColumns[] = {
    {"rank", [](const ThreadTableRow& row, Cell& cell) { cell.rank(row.thread.id.rank); }},
    {"process_id", [](const ThreadTableRow& row, Cell& cell) { cell.number(row.thread.id.process); }},
    {"thread", [](const ThreadTableRow& row, Cell& cell) { cell.number(row.thread.id.index); }},
    {"threads", [](const ThreadTableRow& row, Cell& cell) { cell.number(row.thread.threads); }},
    {"thread_id",
     [](const ThreadTableRow& row, Cell& cell) {
         if (row.thread.threads == 1)
             cell.number(row.thread.tid);
     }},
    {"started_by",
     [](const ThreadTableRow& row, Cell& cell) {
         if (row.thread.parent != vfd::NoThread)
             cell.number(row.thread.parent);
     }},
    {"path",
     [](const ThreadTableRow& row, Cell& cell) {
         if (row.thread.node != vfd::NoNode)
             cell.number(row.part.profile.stid(row.thread.node));
     }},
    {"start_function",
     [](const ThreadTableRow& row, Cell& cell) {
         if (!row.thread.function.empty())
             cell.text(row.part.names.of_text(row.thread.function));
     }},
    {"openmp_worker", [](const ThreadTableRow& row, Cell& cell) { cell.flag(row.thread.worker); }},
    {"begin_ns", [](const ThreadTableRow& row, Cell& cell) { cell.number(row.thread.begin); }},
    {"end_ns", [](const ThreadTableRow& row, Cell& cell) { cell.number(row.thread.end); }},
    {"life_ns", [](const ThreadTableRow& row, Cell& cell) { cell.number(row.thread.life); }},
    {"cpu_ns", [](const ThreadTableRow& row, Cell& cell) { cell.number(row.thread.cpu); }},
    {"waiting_for_core_ns", [](const ThreadTableRow& row, Cell& cell) { cell.number(row.thread.waiting); }},
    {"in_functions_ns", [](const ThreadTableRow& row, Cell& cell) { cell.number(row.thread.in_functions); }},
    {"calls", [](const ThreadTableRow& row, Cell& cell) { cell.number(row.thread.calls); }},
};

void put_threads(const TablePart& part, TableSink& sink) {
    for (const analysis::ThreadRow& thread : part.profile.threads)
        put_row(ThreadColumns, ThreadTableRow{part, thread}, sink);
}

struct TotalsRow {
    const char* which;
    const analysis::ThreadSums& sums;
};

constexpr Column<TotalsRow> TotalsColumns[] = {
    {"which", [](const TotalsRow& row, Cell& cell) { cell.text(row.which); }},
    {"records", [](const TotalsRow& row, Cell& cell) { cell.number(row.sums.records); }},
    {"threads", [](const TotalsRow& row, Cell& cell) { cell.number(row.sums.threads); }},
    {"life_ns", [](const TotalsRow& row, Cell& cell) { cell.number(row.sums.life); }},
    {"cpu_ns", [](const TotalsRow& row, Cell& cell) { cell.number(row.sums.cpu); }},
    {"waiting_for_core_ns", [](const TotalsRow& row, Cell& cell) { cell.number(row.sums.waiting); }},
    {"in_functions_ns", [](const TotalsRow& row, Cell& cell) { cell.number(row.sums.in_functions); }},
    {"calls", [](const TotalsRow& row, Cell& cell) { cell.number(row.sums.calls); }},
};

void put_thread_totals(const TablePart& part, TableSink& sink) {
    put_row(TotalsColumns, TotalsRow{"first", part.profile.thread_totals.first}, sink);
    put_row(TotalsColumns, TotalsRow{"started", part.profile.thread_totals.started}, sink);
}

} // namespace

constexpr Table threads_table{"threads", "a thread, of those with the longest times", names_of<ThreadColumns>,
                              put_threads};
constexpr Table thread_totals_table{"thread_totals", "the first threads, or all others", names_of<TotalsColumns>,
                                    put_thread_totals};

} // namespace vftr::exports
