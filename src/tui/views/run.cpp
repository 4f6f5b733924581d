// SPDX-License-Identifier: BSD-3-Clause
//
// What is known of the run as a whole, a line for each cell of the tables of one row, and what a reader must know of
// the data.
#include "export/tables/tables.hpp"
#include "report/number_text.hpp"
#include "tui/column_text.hpp"
#include "tui/view_spec.hpp"

#include <array>
#include <string>
#include <string_view>

namespace vftr::tui {
namespace {

struct RunLine {
    std::string_view subject, what;
    std::string value;
};

constexpr exports::Column<RunLine> RunColumns[] = {
    {"subject", [](const RunLine& line, exports::Cell& cell) { cell.text(line.subject); }},
    {"what", [](const RunLine& line, exports::Cell& cell) { cell.text(line.what); }},
    {"value", [](const RunLine& line, exports::Cell& cell) { cell.text(line.value); }},
};

void put_run_line(const RunLine& line, GridBuilder& to) { exports::put_row(RunColumns, line, to); }

// A line for each cell. Where a table has several rows, their first cell tells them apart.
void put_run_table(const Grid& table, std::string_view name, GridBuilder& to) {
    const bool several = table.rows() > 1;
    for (std::size_t row = 0; row < table.rows(); ++row)
        for (std::size_t column = several ? 1 : 0; column < table.columns().size(); ++column) {
            if (cell_text(table, row, column, Times::Seconds).empty())
                continue;
            const std::string title = title_of(table.columns()[column].name, Times::Seconds);
            put_run_line({name, several ? table.exact(row, 0) + ": " + title : title,
                          cell_text(table, row, column, Times::Seconds)},
                         to);
        }
}

std::shared_ptr<const Grid> run_grid(const Scene& scene) {
    GridBuilder builder(exports::names_of<RunColumns>());
    if (const Difference* const difference = scene.difference()) {
        put_run_line({"difference", "", difference->answer}, builder);
        for (const std::string& note : difference->notes)
            put_run_line({"difference", "", note}, builder);
    }
    constexpr std::array Tables = {
        &exports::metadata_table,     &exports::applications_table,     &exports::head_table,
        &exports::efficiencies_table, &exports::messages_by_rank_table, &exports::lighter_pairs_table,
        &exports::thread_totals_table};
    for (const exports::Table* table : Tables)
        put_run_table(*scene.grid(*table), table->name, builder);
    for (const std::string& remark : scene.part().subject.remarks)
        put_run_line({"note", "", remark}, builder);
    return std::make_shared<const Grid>(std::move(builder).grid());
}

} // namespace

constexpr ViewSpec view_run{
    .name = "run",
    .title = "Run",
    .help = "the run as a whole, and what to know of the data",
    .columns = "subject what value",
    .sort = "",
    .bar = "",
    .name_column = "value",
    .depth = "",
    .group = "",
    .leads = ViewSpec::Leads::Nowhere,
    .there = [](const Scene&) { return true; },
    .grid = run_grid,
};

} // namespace vftr::tui
