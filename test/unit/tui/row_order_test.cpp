// SPDX-License-Identifier: BSD-3-Clause
#include "tui/row_order.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace vftr;
using namespace vftr::tui;

namespace {

struct PlantedRow {
    std::uint64_t depth, time;
    const char* name;
};

constexpr exports::Column<PlantedRow> PlantedColumns[] = {
    {"depth", [](const PlantedRow& row, exports::Cell& cell) { cell.number(row.depth); }},
    {"time",
     [](const PlantedRow& row, exports::Cell& cell) {
         if (row.time != 0)
             cell.number(row.time);
     }},
    {"name", [](const PlantedRow& row, exports::Cell& cell) { cell.text(row.name); }},
};

Grid planted(const std::vector<PlantedRow>& rows) {
    GridBuilder builder(exports::names_of<PlantedColumns>());
    for (const PlantedRow& row : rows)
        exports::put_row(PlantedColumns, row, builder);
    return std::move(builder).grid();
}

std::string names(const Grid& grid, const RowOrder& order) {
    std::string text;
    for (const std::uint32_t row : order.seen())
        text += std::string(grid.text(row, 2)) + ' ';
    return text;
}

const std::vector<PlantedRow> Tree{{0, 9, "main"}, {1, 2, "a"}, {2, 1, "c"}, {1, 5, "b"}, {2, 3, "c"}, {3, 3, "d"}};

} // namespace

TEST_CASE("rows are sorted by a column, and absent cells are the smallest", "[tui]") {
    const Grid grid = planted({{0, 2, "b"}, {0, 0, "x"}, {0, 7, "a"}, {0, 2, "c"}});
    FlatOrder order(grid);
    CHECK(names(grid, order) == "b x a c ");
    order.sort({1, true});
    CHECK(names(grid, order) == "a b c x ");
    order.sort({1, false});
    CHECK(names(grid, order) == "x b c a ");
    order.sort({2, false});
    CHECK(names(grid, order) == "a b c x ");
    order.sort({});
    CHECK(names(grid, order) == "b x a c ");
    order.show_only([&](std::size_t row) { return grid.value(row, 1) == 2; });
    CHECK(names(grid, order) == "b c ");
    order.show_only({});
    CHECK(order.seen().size() == 4);
}

TEST_CASE("rows of a group stay together", "[tui]") {
    const Grid grid = planted({{0, 1, "x"}, {0, 9, "x"}, {0, 5, "y"}});
    FlatOrder order(grid, 2);
    order.sort({1, true});
    CHECK(order.seen() == std::vector<std::uint32_t>{1, 0, 2});
}

TEST_CASE("a tree shows what is open, with siblings in the order of a column", "[tui]") {
    const Grid grid = planted(Tree);
    TreeOrder order(grid, 0);
    order.sort({1, true});
    CHECK(names(grid, order) == "main b a ");
    order.set_open(3, true);
    CHECK(names(grid, order) == "main b c a ");
    CHECK(order.can_open(4));
    CHECK_FALSE(order.can_open(5));
    order.set_all_open(true);
    CHECK(names(grid, order) == "main b c d a c ");
    order.set_all_open(false);
    CHECK(names(grid, order) == "main b a ");
    order.reveal(5);
    CHECK(names(grid, order) == "main b c d a ");
    CHECK(order.place_of(5) == 3);
    CHECK_FALSE(order.place_of(2));
    CHECK(order.parent(5) == 4);
    CHECK_FALSE(order.parent(0));
    order.set_open(0, false);
    CHECK(names(grid, order) == "main ");
}

TEST_CASE("of a tree with chosen rows those above them are seen, too", "[tui]") {
    const Grid grid = planted(Tree);
    TreeOrder order(grid, 0);
    order.show_only([&](std::size_t row) { return grid.text(row, 2) == "c"; });
    CHECK(names(grid, order) == "main a c b c ");
    order.show_only({});
    CHECK(names(grid, order) == "main a b ");
}

TEST_CASE("what is open in a tree is found again by its names", "[tui]") {
    const Grid before = planted(Tree);
    TreeOrder old(before, 0);
    old.reveal(5);
    const Grid after = planted({{0, 9, "main"}, {1, 1, "new"}, {1, 5, "b"}, {2, 3, "c"}, {3, 3, "d"}, {1, 2, "a"}});
    TreeOrder order(after, 0);
    order.open(old.open_names(2), 2);
    CHECK(names(after, order) == "main new b c d a ");
}

TEST_CASE("depths that leave out a level make no hole in a tree", "[tui]") {
    const Grid grid = planted({{0, 1, "a"}, {5, 1, "b"}, {6, 1, "c"}});
    const TreeOrder order(grid, 0);
    CHECK(order.depth(1) == 1);
    CHECK(order.depth(2) == 2);
}
