// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/peers.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace vftr::mpi;

namespace {
Groups& some_groups() {
    static Groups all;
    all.set_own_rank(5);
    return all;
}
} // namespace

TEST_CASE("a group knows the rank of each member and the own place", "[peers]") {
    for (const std::vector<std::uint32_t>& ranks : {std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5},
                                                    {9, 7, 5, 3},
                                                    {5},
                                                    {1, 5, 2, 0x80000003},
                                                    {0x80000000, 0x80000001},
                                                    {}}) {
        const Group* group = some_groups().of(ranks);
        REQUIRE(group);
        REQUIRE(group->size() == ranks.size());
        std::int32_t own = -1;
        for (std::uint32_t i = 0; i < ranks.size(); ++i) {
            CHECK(group->rank(i) == ranks[i]);
            if (ranks[i] == 5)
                own = static_cast<std::int32_t>(i);
        }
        CHECK(group->own_place() == own);
    }
}

TEST_CASE("equal groups are one, others are not", "[peers]") {
    const Group* one = some_groups().of(std::vector<std::uint32_t>{1, 2, 4});
    CHECK(some_groups().of(std::vector<std::uint32_t>{1, 2, 4}) == one);
    CHECK(some_groups().of(std::vector<std::uint32_t>{1, 4, 2}) != one);
    CHECK(some_groups().of(std::vector<std::uint32_t>{1, 2}) != one);
    std::vector<std::uint32_t> many;
    for (std::uint32_t i = 0; i < 100000; ++i)
        many.push_back(i ^ 1);
    const Group* large = some_groups().of(many);
    REQUIRE(large);
    CHECK(large->rank(99999) == 99998);
    CHECK(some_groups().of(many) == large);
}

TEST_CASE("a group without selected members has no id", "[peers]") {
    CHECK(some_groups().of(std::vector<std::uint32_t>{})->id() == 0);
    CHECK(some_groups().of(std::vector<std::uint32_t>{5})->id_of_others() == 0);
}
