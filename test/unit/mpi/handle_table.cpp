// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/handle_table.hpp"

#include <catch2/catch.hpp>
#include <map>

using vftr::mpi::HandleTable;

TEST_CASE("what was kept of a handle is found until it is forgotten", "[handles]") {
    HandleTable<int> table;
    CHECK(table.find(7) == nullptr);
    REQUIRE(table.insert(7, 70));
    REQUIRE(table.find(7));
    CHECK(*table.find(7) == 70);
    REQUIRE(table.insert(7, 71));
    CHECK(*table.find(7) == 71);
    CHECK(table.size() == 1);
    int value = 0;
    CHECK(table.forget(7, &value));
    CHECK(value == 71);
    CHECK_FALSE(table.forget(7));
    CHECK(table.find(7) == nullptr);
    CHECK_FALSE(table.insert(0, 1)); // no handle
}

TEST_CASE("a handle table holds thousands of handles and forgets half of them", "[handles]") {
    HandleTable<std::uint64_t> table;
    for (std::uint64_t i = 1; i <= 5000; ++i)
        REQUIRE(table.insert(i * 256, i));
    for (std::uint64_t i = 1; i <= 5000; i += 2)
        REQUIRE(table.forget(i * 256));
    CHECK(table.size() == 2500);
    for (std::uint64_t i = 1; i <= 5000; ++i) {
        const std::uint64_t* found = table.find(i * 256);
        REQUIRE((found != nullptr) == (i % 2 == 0));
        if (found)
            REQUIRE(*found == i);
    }
}

TEST_CASE("handles that come and go for ever do not fill a handle table", "[handles]") {
    HandleTable<int> table;
    for (std::uint64_t i = 1; i <= 100000; ++i) {
        REQUIRE(table.insert(i, 1));
        REQUIRE(table.forget(i));
    }
    CHECK(table.find(50) == nullptr);
    CHECK(table.size() == 0);
}
