// SPDX-License-Identifier: BSD-3-Clause
//
// One function, who calls it and what it calls. What is below a call counts once, in its outermost occurrence
// (export/call_graph.hpp).
#include "tui/view_spec.hpp"

#include <algorithm>
#include <cstdint>

namespace vftr::tui {
namespace {

struct CallerRow {
    const char* relation;
    const exports::CallGraph::Function& function;
    std::uint64_t calls, inclusive;
    bool itself;
};

constexpr exports::Column<CallerRow> CallerColumns[] = {
    {"relation", [](const CallerRow& row, exports::Cell& cell) { cell.text(row.relation); }},
    {"calls", [](const CallerRow& row, exports::Cell& cell) { cell.number(row.calls); }},
    {"inclusive_ns", [](const CallerRow& row, exports::Cell& cell) { cell.number(row.inclusive); }},
    {"exclusive_ns",
     [](const CallerRow& row, exports::Cell& cell) {
         if (row.itself)
             cell.number(row.function.exclusive);
     }},
    {"function", [](const CallerRow& row, exports::Cell& cell) { cell.text(row.function.name); }},
};

std::shared_ptr<const Grid> callers_grid(const Scene& scene) {
    GridBuilder builder(exports::names_of<CallerColumns>());
    const exports::CallGraph& graph = scene.call_graph();
    const auto of_name = [&](const exports::CallGraph::Function& f) { return f.name == scene.function(); };
    const auto found = std::ranges::find_if(graph.functions, of_name);
    if (found == graph.functions.end())
        return std::make_shared<const Grid>(std::move(builder).grid());
    const auto place = static_cast<std::uint32_t>(found - graph.functions.begin());
    const auto put = [&](const char* relation, std::uint32_t function, const exports::CallGraph::Calls& calls) {
        exports::put_row(CallerColumns,
                         CallerRow{relation, graph.functions[function], calls.calls, calls.inclusive, false}, builder);
    };
    for (const auto& [pair, calls] : graph.calls)
        if (pair.second == place)
            put("called by", pair.first, calls);
    exports::put_row(CallerColumns, CallerRow{"function", *found, found->calls, found->inclusive, true}, builder);
    for (const auto& [pair, calls] : graph.calls)
        if (pair.first == place)
            put("calls", pair.second, calls);
    return std::make_shared<const Grid>(std::move(builder).grid());
}

} // namespace

constexpr ViewSpec view_callers{
    .name = "callers",
    .title = "Callers",
    .help = "callers and callees of a function; Enter goes on",
    .columns = "relation calls exclusive_ns inclusive_ns function",
    .sort = "inclusive_ns",
    .bar = "inclusive_ns",
    .name_column = "function",
    .depth = "",
    .group = "relation",
    .leads = ViewSpec::Leads::ToFunction,
    .there = [](const Scene&) { return true; },
    .grid = callers_grid,
};

} // namespace vftr::tui
