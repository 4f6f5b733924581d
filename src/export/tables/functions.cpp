// SPDX-License-Identifier: BSD-3-Clause
//
// The functions, each with the sums over its call paths.
#include "export/kind_name.hpp"
#include "export/tables/doubts.hpp"
#include "export/tables/module_cell.hpp"
#include "export/tables/tables.hpp"
#include "report/function_groups.hpp"

namespace vftr::exports {

namespace {

struct FunctionRow {
    const TablePart& part;
    const report::FunctionGroup& function;
    const SourcePlace* place;

    Doubts doubts() const { return {function.calls, function.uncertainty}; }
};

constexpr Column<FunctionRow> FunctionColumns[] = {
    {"function", [](const FunctionRow& row, Cell& cell) { cell.text(row.part.names.of(row.function.first_path)); }},
    {"kind", [](const FunctionRow& row,
                Cell& cell) { cell.text(kind_name(row.part.profile.nodes[row.function.first_path].kind)); }},
    {"module", [](const FunctionRow& row, Cell& cell) { put_module(row.part, row.function.first_path, cell); }},
    {"file",
     [](const FunctionRow& row, Cell& cell) {
         if (row.place)
             cell.text(row.place->file);
     }},
    {"line",
     [](const FunctionRow& row, Cell& cell) {
         if (row.place)
             cell.number(row.place->line);
     }},
    {"waits", [](const FunctionRow& row, Cell& cell) { cell.flag(row.function.waits); }},
    {"excluded",
     [](const FunctionRow& row, Cell& cell) {
         if (row.function.excluded)
             cell.flag(true);
     }},
    {"calls", [](const FunctionRow& row, Cell& cell) { cell.number(row.function.calls.number); }},
    {"exclusive_ns", [](const FunctionRow& row, Cell& cell) { cell.number(row.function.exclusive); }},
    {"inclusive_ns", [](const FunctionRow& row, Cell& cell) { cell.number(row.function.inclusive); }},
    {"call_paths", [](const FunctionRow& row, Cell& cell) { cell.number(row.function.paths); }},
    {"estimated_calls", [](const FunctionRow& row, Cell& cell) { row.doubts().put_estimated_calls(cell); }},
    {"estimated_calls_error", [](const FunctionRow& row, Cell& cell) { row.doubts().put_estimated_calls_error(cell); }},
    {"exclusive_uncertainty_percent",
     [](const FunctionRow& row, Cell& cell) { row.doubts().put_exclusive_percent(cell); }},
};

void put_functions(const TablePart& part, TableSink& sink) {
    for (const report::FunctionGroup& function : report::function_groups(part.profile, 0))
        put_row(FunctionColumns, FunctionRow{part, function, part.subject.place_of(part.profile, function.first_path)},
                sink);
}

} // namespace

constexpr Table functions_table{"functions", "a function, over all its call paths", names_of<FunctionColumns>,
                                put_functions};

} // namespace vftr::exports
