// SPDX-License-Identifier: BSD-3-Clause
#include "compare/comparison_table.hpp"

#include "compare/place_rows.hpp"
#include "compare/row_names.hpp"
#include "export/depth_first.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace vftr::compare {
namespace {

struct ComparedRow {
    const Comparison& comparison;
    const RowNames& names;
    const Row* row; // nullptr: no run has the path, as it has moved
    const std::string& function;
    std::uint32_t depth = 0;
    PerSide<double> inclusive{};

    // nullptr: the side has none.
    const CallPercentiles* percentiles(std::size_t side) const {
        const RowPercentiles* both = row ? comparison.percentiles_of(*row) : nullptr;
        return both && both->of[side].calls != 0 ? &both->of[side] : nullptr;
    }
};

using ComparedColumn = exports::Column<ComparedRow>;

template <std::size_t side>
void put_time(const ComparedRow& at, exports::Cell& cell) {
    if (at.row)
        cell.real(at.row->time[side]);
}
template <std::size_t side>
void put_inclusive(const ComparedRow& at, exports::Cell& cell) {
    cell.real(at.inclusive[side]);
}
template <double RatioInterval::*part>
void put_interval(const ComparedRow& at, exports::Cell& cell) {
    if (at.row && at.row->interval)
        cell.real((*at.row->interval).*part);
}
template <std::size_t side, std::uint64_t CallsOfRuns::*which>
void put_calls(const ComparedRow& at, exports::Cell& cell) {
    if (at.row)
        cell.number(at.row->calls[side].*which);
}
template <std::size_t side>
void put_timed_calls(const ComparedRow& at, exports::Cell& cell) {
    if (const CallPercentiles* its = at.percentiles(side))
        cell.number(its->calls);
}
template <std::size_t side, std::size_t percentile>
void put_percentile(const ComparedRow& at, exports::Cell& cell) {
    if (const CallPercentiles* its = at.percentiles(side))
        cell.number(its->ns[percentile]);
}
template <std::size_t percentile>
void put_percentile_difference(const ComparedRow& at, exports::Cell& cell) {
    if (at.percentiles(Base) && at.percentiles(New))
        cell.real(at.comparison.percentiles_of(*at.row)->difference(percentile));
}
void put_text(const std::string& text, exports::Cell& cell) {
    if (!text.empty())
        cell.text(text);
}

constexpr ComparedColumn FunctionColumn[] = {
    {"function", [](const ComparedRow& at, exports::Cell& cell) { cell.text(at.function); }},
};
constexpr ComparedColumn PathColumn[] = {
    {"path", [](const ComparedRow& at, exports::Cell& cell) { cell.text(joined_path(at.names.path(at.row->id))); }},
};
constexpr ComparedColumn FigureColumns[] = {
    {"base", put_time<Base>},
    {"new", put_time<New>},
    {"difference",
     [](const ComparedRow& at, exports::Cell& cell) {
         if (at.row)
             cell.real(at.row->difference());
     }},
    {"ratio", put_interval<&RatioInterval::ratio>},
    {"low", put_interval<&RatioInterval::low>},
    {"high", put_interval<&RatioInterval::high>},
    {"p", put_interval<&RatioInterval::p>},
    {"base_calls_min", put_calls<Base, &CallsOfRuns::least>},
    {"base_calls_max", put_calls<Base, &CallsOfRuns::most>},
    {"new_calls_min", put_calls<New, &CallsOfRuns::least>},
    {"new_calls_max", put_calls<New, &CallsOfRuns::most>},
    {"calls_changed",
     [](const ComparedRow& at, exports::Cell& cell) {
         if (at.row)
             cell.number(at.row->calls_changed ? 1 : 0);
     }},
    {"verdict",
     [](const ComparedRow& at, exports::Cell& cell) {
         if (at.row)
             cell.text(verdict_name(at.row->verdict));
     }},
    {"renamed_from",
     [](const ComparedRow& at, exports::Cell& cell) {
         if (at.row)
             put_text(at.names.renamed_from(*at.row), cell);
     }},
    {"moved_from",
     [](const ComparedRow& at, exports::Cell& cell) {
         if (at.row)
             put_text(at.names.moved_from(*at.row), cell);
     }},
    {"perhaps_inlined",
     [](const ComparedRow& at, exports::Cell& cell) {
         if (at.row)
             put_text(at.names.perhaps_inlined(*at.row), cell);
     }},
    {TimedCallsNames[Base], put_timed_calls<Base>},
    {TimedCallsNames[New], put_timed_calls<New>},
    {Percentiles[0].names[Base], put_percentile<Base, 0>},
    {Percentiles[0].names[New], put_percentile<New, 0>},
    {Percentiles[0].difference_name, put_percentile_difference<0>},
    {Percentiles[1].names[Base], put_percentile<Base, 1>},
    {Percentiles[1].names[New], put_percentile<New, 1>},
    {Percentiles[1].difference_name, put_percentile_difference<1>},
    {Percentiles[2].names[Base], put_percentile<Base, 2>},
    {Percentiles[2].names[New], put_percentile<New, 2>},
    {Percentiles[2].difference_name, put_percentile_difference<2>},
};
static_assert(Percentiles.size() == 3);
constexpr ComparedColumn WordColumns[] = {
    {"calls_change",
     [](const ComparedRow& at, exports::Cell& cell) {
         if (at.row)
             put_text(at.names.calls_change(*at.row, at.comparison), cell);
     }},
    {"remark",
     [](const ComparedRow& at, exports::Cell& cell) {
         if (at.row)
             put_text(at.names.remark(*at.row, at.comparison), cell);
     }},
};
constexpr ComparedColumn TreeColumns[] = {
    {"depth", [](const ComparedRow& at, exports::Cell& cell) { cell.number(at.depth); }},
    {"base_inclusive", put_inclusive<Base>},
    {"new_inclusive", put_inclusive<New>},
};

using ComparedColumns = std::vector<ComparedColumn>;

ComparedColumns all_of(std::initializer_list<std::span<const ComparedColumn>> lists) {
    ComparedColumns all;
    for (const std::span<const ComparedColumn> list : lists)
        all.insert(all.end(), list.begin(), list.end());
    return all;
}

ComparedColumns columns_of_files(const Comparison& comparison) {
    return comparison.measure.paths ? all_of({PathColumn, FigureColumns}) : all_of({FunctionColumn, FigureColumns});
}

ComparedColumns columns_of_views(const Comparison& comparison) {
    return comparison.measure.paths ? all_of({FunctionColumn, FigureColumns, WordColumns, TreeColumns})
                                    : all_of({FunctionColumn, FigureColumns, WordColumns});
}

void put_functions(const Comparison& comparison, const RowNames& names, exports::TableSink& sink) {
    const ComparedColumns columns = columns_of_views(comparison);
    for (const Row& row : comparison.rows)
        exports::put_row(columns, ComparedRow{comparison, names, &row, names.function_of(row)}, sink);
}

// By place: whether the path or one below it has a row.
std::vector<bool> leads_to_rows(const std::vector<const Row*>& rows, const CombinedTree& tree) {
    std::vector<bool> leads(rows.size());
    for (std::size_t place = rows.size(); place-- > 0;) { // parents come before their callees
        if (rows[place])
            leads[place] = true;
        if (leads[place] && place != 0)
            leads[tree.parent(static_cast<std::uint32_t>(place))] = true;
    }
    return leads;
}

void put_tree(const Comparison& comparison, const CombinedTree& tree, const RowNames& names, exports::TableSink& sink) {
    const ComparedColumns columns = columns_of_views(comparison);
    const std::vector<const Row*> rows = rows_by_place(comparison, tree);
    const std::vector<bool> leads = leads_to_rows(rows, tree);
    const PerSide<std::vector<double>> inclusive{inclusive_times(rows, tree, Base), inclusive_times(rows, tree, New)};
    for (const exports::Visit visit : exports::depth_first(tree.paths()))
        if (leads[visit.node])
            exports::put_row(columns,
                             ComparedRow{comparison,
                                         names,
                                         rows[visit.node],
                                         names.function_name(tree.function(visit.node)),
                                         visit.depth,
                                         {inclusive[Base][visit.node], inclusive[New][visit.node]}},
                             sink);
}

} // namespace

std::vector<exports::ColumnName> file_columns(const Comparison& comparison) {
    const ComparedColumns columns = columns_of_files(comparison);
    return {columns.begin(), columns.end()};
}

void put_file_rows(const Comparison& comparison, const CombinedTree& tree, exports::TableSink& sink) {
    const ComparedColumns columns = columns_of_files(comparison);
    const RowNames names(tree, comparison.measure.paths);
    for (const Row& row : comparison.rows)
        exports::put_row(columns, ComparedRow{comparison, names, &row, names.function_of(row)}, sink);
}

std::vector<exports::ColumnName> view_columns(const Comparison& comparison) {
    const ComparedColumns columns = columns_of_views(comparison);
    return {columns.begin(), columns.end()};
}

void put_view_rows(const Comparison& comparison, const CombinedTree& tree, exports::TableSink& sink) {
    const RowNames names(tree, comparison.measure.paths);
    comparison.measure.paths ? put_tree(comparison, tree, names, sink) : put_functions(comparison, names, sink);
}

} // namespace vftr::compare
