// SPDX-License-Identifier: BSD-3-Clause
#include "tui/column_text.hpp"

#include "report/number_text.hpp"
#include "tui/text_cells.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace vftr::tui {
namespace {

constexpr int SecondsDecimals = 6, RealDecimals = 3;
constexpr std::size_t WidestText = 32; // of a column that is not the last one

// Those of the log. A time has its unit added.
constexpr struct {
    std::string_view file, shown;
} Titles[] = {
    {"calls", "Calls"},
    {"exclusive_ns", "t_excl"},
    {"inclusive_ns", "t_incl"},
    {"overhead_ns", "overhead"},
    {"exclusive_uncertainty_percent", "±[%]"},
    {"exclusive_max_ns", "t_excl max"},
    {"exclusive_min_ns", "t_excl min"},
    {"inclusive_max_ns", "t_incl max"},
    {"inclusive_min_ns", "t_incl min"},
    {"exclusive_max_rank", "on rank"},
    {"exclusive_min_rank", "min on rank"},
    {"worst_rank_ns", "max"},
    {"worst_rank", "on rank"},
    {"cause_rank", "by rank"},
    {"cause_ns", "caused"},
    {"late_calls", "came last in"},
    {"others_waited_ns", "others waited"},
    {"timed_calls", "Known"},
    {"shortest_call_ns", "min"},
    {"median_call_ns", "median"},
    {"p90_call_ns", "90 %"},
    {"p99_call_ns", "99 %"},
    {"longest_call_ns", "max"},
    {"base_median_call_ns", "base median"},
    {"new_median_call_ns", "new median"},
    {"median_call_difference_ns", "median diff."},
    {"base_p90_call_ns", "base 90 %"},
    {"new_p90_call_ns", "new 90 %"},
    {"p90_call_difference_ns", "90 % diff."},
    {"base_p99_call_ns", "base 99 %"},
    {"new_p99_call_ns", "new 99 %"},
    {"p99_call_difference_ns", "99 % diff."},
    {"sent_messages", "sent"},
    {"sent_bytes", "sent[B]"},
    {"received_messages", "received"},
    {"received_bytes", "received[B]"},
    {"function", "Function"},
    {"id", "STID"},
    {"path", "STID"},
    {"region_ns", "t_region"},
    {"wait_ns", "t_wait"},
    {"imbalance_percent", "Imbalance[%]"},
    {"in_functions_ns", "t_func"},
    {"waiting_for_core_ns", "No core"},
    {"cpu_ns", "CPU"},
    {"difference", "diff."},
    {"calls_change", "calls"},
    {"base_inclusive", "base t_incl"},
    {"new_inclusive", "new t_incl"},
};

constexpr std::string_view TimeSuffix = "_ns";

// Times of a comparison, which are means over runs and so no whole nanoseconds.
constexpr std::string_view InSeconds[] = {"base", "new", "difference", "base_inclusive", "new_inclusive"};

bool is_in_seconds(const exports::ColumnName& column) {
    return std::ranges::find(InSeconds, exports::file_title(column)) != std::end(InSeconds);
}

} // namespace

bool is_time(const exports::ColumnName& column) {
    return exports::file_title(column).ends_with(TimeSuffix) || exports::file_title(column) == "ns";
}

std::string title_of(const exports::ColumnName& column, Times times) {
    const std::string name = exports::file_title(column);
    const bool has_unit = is_time(column) || is_in_seconds(column);
    const std::string unit = !has_unit ? "" : times == Times::Seconds ? "[s]" : "[ns]";
    for (const auto& title : Titles)
        if (title.file == name)
            return std::string(title.shown) + unit;
    if (name == "ns")
        return "time" + unit;
    std::string shown = name;
    if (is_time(column))
        shown.resize(shown.size() - TimeSuffix.size());
    std::replace(shown.begin(), shown.end(), '_', ' ');
    return shown + unit;
}

std::string cell_text(const Grid& grid, std::size_t row, std::size_t column, Times times) {
    if (!grid.there(row, column))
        return "";
    const Grid::Column& its = grid.columns()[column];
    if (is_in_seconds(its.name))
        return times == Times::Seconds ? report::fixed(grid.value(row, column), SecondsDecimals)
                                       : report::fixed(1e9 * grid.value(row, column), 0);
    if (its.kind == Grid::Kind::Real && is_time(its.name)) // a difference, which may be below 0
        return report::fixed(grid.value(row, column) * (times == Times::Seconds ? 1e-9 : 1),
                             times == Times::Seconds ? SecondsDecimals : 0);
    if (its.kind == Grid::Kind::Real)
        return report::fixed(grid.value(row, column), RealDecimals);
    if (its.kind == Grid::Kind::Flag)
        return grid.bits(row, column) ? "yes" : "";
    if (is_time(its.name) && times == Times::Seconds)
        return report::seconds(grid.value(row, column), SecondsDecimals);
    return grid.exact(row, column);
}

std::size_t widest(const Grid& grid, std::size_t column, Times times) {
    const Grid::Column& its = grid.columns()[column];
    std::size_t width = cells(title_of(its.name, times));
    if (its.kind == Grid::Kind::Text) {
        for (std::size_t row = 0; row < grid.rows() && width < WidestText; ++row)
            width = std::max(width, std::min(cells(grid.text(row, column)), WidestText));
        return width;
    }
    // The text of the largest or the smallest number is the longest.
    std::size_t least = 0, most = 0;
    for (std::size_t row = 1; row < grid.rows(); ++row) {
        if (grid.value(row, column) < grid.value(least, column))
            least = row;
        if (grid.value(row, column) > grid.value(most, column))
            most = row;
    }
    if (grid.rows() != 0)
        for (const std::size_t row : {least, most})
            width = std::max(width, cells(cell_text(grid, row, column, times)));
    return width;
}

} // namespace vftr::tui
