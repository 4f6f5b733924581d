// SPDX-License-Identifier: BSD-3-Clause
#include "record/hot/child_table.hpp"

#include <catch2/catch.hpp>

#include <vector>

using vftr::record::ChildTable;

namespace {

// A table with the nodes that it leads to.
struct Table : ChildTable {
    Table() { REQUIRE(create()); }
    ~Table() { destroy(); }
    void add(std::uint32_t parent, std::uint64_t key, std::uint32_t node) {
        REQUIRE(make_room());
        if (node >= nodes.size())
            nodes.resize(node + 1);
        nodes[node].key = key;
        insert(parent, key, node);
    }
    std::uint32_t find(std::uint32_t parent, std::uint64_t key) { return ChildTable::find(nodes.data(), parent, key); }
    std::vector<vftr::vfd::Node> nodes{1};
};

} // namespace

TEST_CASE("a pair that was never inserted is not found", "[record][child_table]") {
    Table table;
    CHECK(table.find(0, 0x1000) == ChildTable::NotThere);
    table.add(0, 0x1000, 1);
    CHECK(table.find(0, 0x1000) == 1);
    CHECK(table.find(1, 0x1000) == ChildTable::NotThere);
    CHECK(table.find(0, 0x1001) == ChildTable::NotThere);
}

TEST_CASE("the table keeps all pairs while it grows", "[record][child_table]") {
    Table table;
    constexpr std::uint32_t Pairs = 20000; // many times the first size
    for (std::uint32_t i = 0; i < Pairs; ++i)
        table.add(i % 97, 0x400000 + 16 * i, i + 1);
    unsigned wrong = 0;
    for (std::uint32_t i = 0; i < Pairs; ++i) {
        wrong += table.find(i % 97, 0x400000 + 16 * i) != i + 1;
        wrong += table.find(i % 97, 0x400008 + 16 * i) != ChildTable::NotThere;
    }
    CHECK(wrong == 0);
}

TEST_CASE("one function called from many paths has a path of its own in each", "[record][child_table]") {
    Table table;
    for (std::uint32_t parent = 0; parent < 5000; ++parent)
        table.add(parent, 0x401000, parent + 7);
    unsigned wrong = 0;
    for (std::uint32_t parent = 0; parent < 5000; ++parent)
        wrong += table.find(parent, 0x401000) != parent + 7;
    CHECK(wrong == 0);
    CHECK(table.find(5000, 0x401000) == ChildTable::NotThere);
}

TEST_CASE("several pairs may lead to one path", "[record][child_table]") {
    Table table;
    table.add(1, 0x10, 5);
    table.add(8, 0x10, 5); // recursion that was folded onto 5
    CHECK(table.find(1, 0x10) == 5);
    CHECK(table.find(8, 0x10) == 5);
}

TEST_CASE("what has been looked for is found at the first look", "[record][child_table]") {
    Table table;
    for (std::uint32_t i = 1; i <= 250; ++i)
        table.add(0, 0x400000 + 16 * i, i);
    unsigned wrong = 0;
    for (std::uint32_t i = 1; i <= 250; ++i) {
        std::uint32_t node = 0;
        wrong += table.find(0, 0x400000 + 16 * i) != i;
        wrong += !table.find_at_home(table.nodes.data(), 0, 0x400000 + 16 * i, node) || node != i;
    }
    for (std::uint32_t i = 1; i <= 250; ++i)
        wrong += table.find(0, 0x400000 + 16 * i) != i;
    CHECK(wrong == 0);
}

TEST_CASE("pairs that are forgotten are gone, and no others", "[record][child_table]") {
    Table table;
    constexpr std::uint32_t Pairs = 3000;
    for (std::uint32_t i = 1; i <= Pairs; ++i) {
        table.add(i % 7, 0x400000 + 16 * i, i);
        table.nodes[i].parent = i % 7;
    }
    for (std::uint32_t i = 1; i <= Pairs; i += 3) // pairs change places when they are found
        table.find(i % 7, 0x400000 + 16 * i);
    table.add(5, 0x400000 + 16 * 2, 2); // folded onto a path of another caller
    unsigned taken = 0;
    const auto even = [](std::uint32_t node) { return node % 2 == 0; };
    table.forget(table.nodes.data(), even, [&](std::uint32_t node) { taken += even(node); });
    CHECK(taken == Pairs / 2);
    unsigned wrong = 0;
    for (std::uint32_t i = 1; i <= Pairs; ++i)
        wrong += table.find(i % 7, 0x400000 + 16 * i) != (even(i) ? ChildTable::NotThere : i);
    CHECK(wrong == 0);
    CHECK(table.find(5, 0x400000 + 16 * 2) == ChildTable::NotThere);
    for (std::uint32_t i = 2; i <= Pairs; i += 2)
        table.add(i % 7, 0x400000 + 16 * i, i);
    for (std::uint32_t i = 1; i <= Pairs; ++i)
        wrong += table.find(i % 7, 0x400000 + 16 * i) != i;
    CHECK(wrong == 0);
}
