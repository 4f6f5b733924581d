// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timeline/longest_waits.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace vftr::analysis;

namespace {

Wait wait(std::uint32_t rank, Moment begin, std::uint64_t ns) {
    return {rank, 0, 1, WaitState::LateSender, begin, ns, 0};
}

} // namespace

TEST_CASE("of more waits than there is room for the longest stay, whatever their order", "[waits]") {
    const std::vector<Wait> all = {wait(1, 10, 5), wait(0, 30, 7), wait(0, 20, 1), wait(1, 40, 9), wait(2, 5, 5)};
    for (const bool backwards : {false, true}) {
        LongestWaits longest(3);
        for (std::size_t i = 0; i < all.size(); ++i)
            longest.add(all[backwards ? all.size() - 1 - i : i]);
        CHECK(longest.left_out() == 2);
        CHECK(longest.left_out_ns() == TimeByState{6, 0, 0, 0});
        const std::vector<Wait> kept = longest.take();
        REQUIRE(kept.size() == 3);
        CHECK((kept[0].rank == 0 && kept[0].ns == 7));
        CHECK((kept[1].rank == 1 && kept[1].begin == 10 && kept[1].ns == 5)); // as the lower rank of two
        CHECK((kept[2].rank == 1 && kept[2].begin == 40 && kept[2].ns == 9));
    }
}

TEST_CASE("waits that begin at once have the longest first", "[waits]") {
    LongestWaits longest;
    longest.add(wait(0, 10, 5));
    longest.add(wait(0, 10, 8));
    longest.add(wait(0, 3, 1));
    const std::vector<Wait> kept = longest.take();
    REQUIRE(kept.size() == 3);
    CHECK(longest.left_out() == 0);
    CHECK(kept[0].begin == 3);
    CHECK(kept[1].ns == 8);
    CHECK(kept[2].ns == 5);
}
