// SPDX-License-Identifier: BSD-3-Clause
#include "compare/comparison_table.hpp"

#include "compare/comparison_text.hpp"
#include "compared.hpp"
#include "tui/grid.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

using namespace vftr;
using namespace vftr::test;

namespace {

tui::Grid view_of(const Compared& compared) {
    tui::GridBuilder builder(compare::view_columns(compared.comparison));
    compare::put_view_rows(compared.comparison, compared.tree, builder);
    return std::move(builder).grid();
}

std::string cell(const tui::Grid& grid, std::size_t row, std::string_view column) {
    return grid.exact(row, grid.find(column).value());
}

std::size_t row_of(const tui::Grid& grid, std::string_view function) {
    for (std::size_t row = 0; row < grid.rows(); ++row)
        if (cell(grid, row, "function") == function)
            return row;
    throw std::runtime_error("no row");
}

std::string csv_of(const Compared& compared) {
    return exports::bytes_of(
        [&](exports::Sink& sink) { compare::write_csv(compared.comparison, compared.tree, sink); });
}

// work was called by main, and is called by layer now.
Compared moved(bool paths) {
    return {{run_of({{"main<init", 1, 10}, {"work<main<init", 4, 500}, {"leaf<work<main<init", 8, 100}})},
            {run_of({{"main<init", 1, 10},
                     {"layer<main<init", 1, 1},
                     {"work<layer<main<init", 4, 2000},
                     {"leaf<work<layer<main<init", 8, 100}})},
            paths};
}

} // namespace

TEST_CASE("files of comma-separated values have the columns of their titles", "[compare]") {
    const std::string functions = csv_of(moved(false)), paths = csv_of(moved(true));
    CHECK(
        functions.find(
            "function,base,new,difference,ratio,low,high,p,base_calls_min,base_calls_max,new_calls_min,"
            "new_calls_max,calls_changed,verdict,renamed_from,moved_from,perhaps_inlined,base_timed_calls,new_timed_calls,"
            "base_median_call_ns,new_median_call_ns,median_call_difference_ns,base_p90_call_ns,"
            "new_p90_call_ns,p90_call_difference_ns,base_p99_call_ns,new_p99_call_ns,"
            "p99_call_difference_ns\n"
            "work,0.5,2,1.5,4,") == 0);
    CHECK(functions.find("\nlayer,0,0.001,0.001,,,,,0,0,1,1,0,new,,,,,,,,,,,,,,\n") != std::string::npos);
    CHECK(paths.find("path,base,") == 0);
    CHECK(paths.find("\ninit;main;layer;work,0.5,2,1.5,4,") != std::string::npos);
    CHECK(paths.find(",4,4,4,4,0,slower,,main,,,,,,,,,,,,\n") != std::string::npos);
}

TEST_CASE("a view of functions has the rows of the comparison, and its remarks", "[compare]") {
    const Compared compared({run_of({{"main<init", 1, 10}, {"f<main<init", 4, 500}})},
                            {run_of({{"main<init", 1, 10}, {"f<main<init", 8, 500}})});
    const tui::Grid grid = view_of(compared);
    REQUIRE(grid.rows() == compared.comparison.rows.size());
    CHECK_FALSE(grid.find("depth"));
    const std::size_t row = row_of(grid, "f");
    CHECK(cell(grid, row, "base") == "0.5");
    CHECK(cell(grid, row, "calls_changed") == "1");
    CHECK(cell(grid, row, "calls_change") == "+100.0 %");
    CHECK(cell(grid, row, "remark") == "calls +100.0 %");
    CHECK(cell(grid, row_of(grid, "main"), "remark") == "");
}

TEST_CASE("a view of call paths is a tree of both runs", "[compare]") {
    const Compared compared = moved(true);
    const tui::Grid grid = view_of(compared);
    // The path that has moved stands where the new run has it, and nowhere else.
    REQUIRE(grid.rows() == 5);
    const std::vector<std::string> functions{"init", "main", "layer", "work", "leaf"};
    for (std::size_t row = 0; row < grid.rows(); ++row) {
        CHECK(cell(grid, row, "function") == functions[row]);
        CHECK(cell(grid, row, "depth") == std::to_string(row));
    }
    CHECK(cell(grid, 3, "verdict") == "slower");
    CHECK(cell(grid, 3, "remark") == "moved: was called by main");
    CHECK(cell(grid, 3, "base_inclusive") == "0.6");
    CHECK(grid.value(1, grid.find("new_inclusive").value()) == Approx(2.111));
    CHECK(cell(grid, 2, "verdict") == "new");
    // A caller of all this is blameless.
    CHECK(cell(grid, 1, "difference") == "0");
}
