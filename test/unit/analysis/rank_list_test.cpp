// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/profile/rank_list.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <random>
#include <set>
#include <vector>

using vftr::analysis::RankList;
using vftr::analysis::ranks_without;
using Ranges = std::vector<RankList::Range>;

TEST_CASE("ranks that are neighbours are one range", "[ranks]") {
    RankList list{5, 2};
    CHECK(list.ranges() == Ranges{{2, 2}, {5, 5}});
    list.add(3, 4);
    CHECK(list.ranges() == Ranges{{2, 5}});
    list.add(0, 9);
    CHECK(list.ranges() == Ranges{{0, 9}});
    list.add(RankList{11, 20});
    CHECK(list.ranges() == Ranges{{0, 9}, {11, 11}, {20, 20}});
    CHECK(list.count() == 12);
}

TEST_CASE("the highest and the lowest rank are no trouble", "[ranks]") {
    constexpr std::int32_t Highest = std::numeric_limits<std::int32_t>::max();
    RankList list;
    list.add(Highest);
    list.add(-Highest - 1, Highest);
    CHECK(list.ranges() == Ranges{{-Highest - 1, Highest}});
    CHECK(list.count() == std::uint64_t{1} << 32);
}

TEST_CASE("a list of ranges has the ranks that were added", "[ranks]") {
    std::mt19937 random(2);
    for (int trial = 0; trial < 200; ++trial) {
        RankList list;
        std::set<std::int32_t> ranks;
        for (int i = 0; i < 20; ++i) {
            auto first = static_cast<std::int32_t>(random() % 60);
            auto last = first + static_cast<std::int32_t>(random() % 4);
            list.add(first, last);
            for (; first <= last; ++first)
                ranks.insert(first);
        }
        std::set<std::int32_t> listed;
        for (std::size_t i = 0; i < list.ranges().size(); ++i) {
            auto [first, last] = list.ranges()[i];
            REQUIRE((i == 0 || list.ranges()[i - 1].last + 1 < first));
            for (; first <= last; ++first)
                listed.insert(first);
        }
        REQUIRE(listed == ranks);
        REQUIRE(list.count() == ranks.size());
    }
}

TEST_CASE("the ranks that are not there", "[ranks]") {
    using Ranks = std::vector<std::int32_t>;
    CHECK(ranks_without(Ranks{}, 3) == RankList{0, 1, 2});
    CHECK(ranks_without(Ranks{0, 1, 2}, 3).empty());
    CHECK(ranks_without(Ranks{1, 1, 3}, 6) == RankList{0, 2, 4, 5});
}
