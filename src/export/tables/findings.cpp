// SPDX-License-Identifier: BSD-3-Clause
//
// What matters (report/findings/finding.hpp). The figures of a sentence are columns of their own, of which each rule
// has a few.
#include "export/tables/tables.hpp"
#include "report/findings/finding.hpp"

#include <string_view>

namespace vftr::exports {

namespace {

struct FindingRow {
    const TablePart& part;
    const report::Finding& finding;

    void put_figure(std::string_view name, Cell& cell) const {
        for (const report::Figure& figure : finding.figures)
            if (figure.name == name)
                cell.number(figure.value);
    }
};

// clang-format off
#define FIGURE(name) {{"figures", name}, [](const FindingRow& row, Cell& cell) { row.put_figure(name, cell); }}
// clang-format on

constexpr Column<FindingRow> FindingColumns[] = {
    {"rule", [](const FindingRow& row, Cell& cell) { cell.text(row.finding.rule->name); }},
    {"title", [](const FindingRow& row, Cell& cell) { cell.text(row.finding.rule->title); }},
    {"text", [](const FindingRow& row, Cell& cell) { cell.text(row.finding.text); }},
    {"ns", [](const FindingRow& row, Cell& cell) { cell.number(row.finding.ns); }},
    {"share", [](const FindingRow& row, Cell& cell) { cell.real(row.finding.share); }},
    {"table", [](const FindingRow& row, Cell& cell) { cell.text(row.finding.rule->table); }},
    {"path",
     [](const FindingRow& row, Cell& cell) {
         if (row.finding.node)
             cell.number(row.part.profile.stid(*row.finding.node));
     }},
    {"function",
     [](const FindingRow& row, Cell& cell) {
         if (row.finding.node)
             cell.text(row.part.names.of(*row.finding.node));
     }},
    {"rank",
     [](const FindingRow& row, Cell& cell) {
         if (row.finding.rank)
             cell.rank(*row.finding.rank);
     }},
    FIGURE("exclusive_ns"),
    FIGURE("calls"),
    FIGURE("call_paths"),
    FIGURE("overhead_ns"),
    FIGURE("rank_ns"),
    FIGURE("average_ns"),
    FIGURE("mpi_ns"),
    FIGURE("path_ns"),
    FIGURE("messages"),
    FIGURE("bytes"),
    FIGURE("idle_ns"),
    FIGURE("wait_ns"),
    FIGURE("team_ns"),
    FIGURE("busiest_ns"),
    FIGURE("blocked_ns"),
    FIGURE("waiting_for_core_ns"),
};

#undef FIGURE

// Sentences are for people, and names in full stand beside them.
constexpr std::size_t NameWidth = 60;

void put_findings(const TablePart& part, TableSink& sink) {
    for (const report::Finding& finding :
         report::findings(report::Evidence(part.profile, part.names, part.waits, NameWidth)))
        put_row(FindingColumns, FindingRow{part, finding}, sink);
}

} // namespace

constexpr Table findings_table{"findings", "what matters in the run", names_of<FindingColumns>, put_findings};

} // namespace vftr::exports
