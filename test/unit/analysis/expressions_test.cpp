// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/profile/expressions.hpp"
#include "profile_builder.hpp"

#include <catch2/catch.hpp>

using namespace vftr;
using namespace vftr::analysis;
using namespace vftr::test;
using vfd::ExpressionUse;

namespace {

const std::string Rule = "filter.exclude.functions", Trigger = "filter.triggers[0] (start)";

Profile rank_with(std::int32_t rank, std::uint64_t matched, std::uint64_t calls) {
    Profile profile = one_rank(rank);
    profile.world_size = 2;
    profile.expressions = {{Rule, "f", matched, 1}, {Trigger, "g", calls, 3}};
    return profile;
}

} // namespace

TEST_CASE("What one rank alone matches is matched, and a trigger counts the calls of one process") {
    Profile both = rank_with(0, 0, 2);
    merge(both, rank_with(1, 1, 1));
    CHECK(both.expressions == std::vector<ExpressionUse>{{Rule, "f", 1, 1}, {Trigger, "g", 2, 3}});
    CHECK(without_effect(both) == std::vector<ExpressionUse>{{Trigger, "g", 2, 3}});
    Profile child = rank_with(0, 0, 3);
    add_process(both, child);
    CHECK(without_effect(both).empty());
}

TEST_CASE("A rank that knows nothing of an expression does not speak against it, and not for it") {
    Profile both = rank_with(0, 0, 0);
    both.expressions.clear();
    merge(both, rank_with(1, 0, 3));
    CHECK(without_effect(both) == std::vector<ExpressionUse>{{Rule, "f", 0, 1}});
}

TEST_CASE("Nothing is said to be without effect where a process may have more to say") {
    CHECK(without_effect(rank_with(0, 0, 0)).empty()); // of two
    Profile whole = rank_with(0, 0, 0);
    merge(whole, rank_with(1, 0, 0));
    CHECK(without_effect(whole).size() == 2);
    SECTION("missing") { whole.missing_ranks = {1}; }
    SECTION("late") { whole.late_ranks = {1}; }
    SECTION("runs on") { whole.summary.unfinished = 1; }
    SECTION("killed") { whole.summary.recovered = 1; }
    CHECK(without_effect(whole).empty());
}
