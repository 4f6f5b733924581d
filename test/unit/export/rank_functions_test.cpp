// SPDX-License-Identifier: BSD-3-Clause
#include "export/rank_functions.hpp"

#include "../analysis/profile_builder.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace vftr;
using namespace vftr::exports;
using namespace vftr::test;

namespace {

analysis::Profile of_rank(int rank, std::uint64_t f, std::uint64_t g) {
    analysis::Profile profile = one_rank(rank);
    add(profile, "main<init", 1, 10, 10 + f + g);
    add(profile, "f<main<init", 1, f, f);
    if (g != 0)
        add(profile, "g<main<init", 1, g, g);
    return profile;
}

} // namespace

TEST_CASE("times of functions on ranks are those of the ranks' profiles", "[export]") {
    const analysis::Profile first = of_rank(0, 100, 0), second = of_rank(1, 50, 900);
    RankFunctions times(of_rank(0, 150, 900), 2);
    CHECK(times.empty());
    times.add(0, first);
    times.add(1, second);
    CHECK(times.ranks() == std::vector<std::int32_t>{0, 1});
    REQUIRE(times.functions().size() == 3);
    CHECK(times.functions()[0] == "g");
    CHECK(times.functions()[1] == "f");
    CHECK(times.exclusive_ns(0, 0) == 0);
    CHECK(times.exclusive_ns(0, 1) == 900);
    CHECK(times.exclusive_ns(1, 0) == 100);
    CHECK(times.exclusive_ns(1, 1) == 50);
    CHECK(times.left_out() == 0);
}

TEST_CASE("of many functions on many ranks those with most time are kept", "[export]") {
    RankFunctions times(of_rank(0, 150, 900), 2, 4);
    times.add(0, of_rank(0, 100, 0));
    CHECK(times.functions() == std::vector<std::string>{"g", "f"});
    CHECK(times.left_out() == 1);
}
