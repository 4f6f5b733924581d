// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/profile/lost_time.hpp"

#include <catch2/catch.hpp>

using namespace vftr::analysis;

TEST_CASE("nobody loses nothing", "[analysis][lost_time]") { CHECK(lost_time({}).sum() == 0); }

TEST_CASE("of threads side by side the one counts that lost most", "[analysis][lost_time]") {
    const LostTime lost = lost_time({{0, 100, {5, 1}}, {10, 90, {20, 3}}, {20, 100, {7, 0}}});
    CHECK(lost.hooks == 20);
    CHECK(lost.mpi == 3);
}

TEST_CASE("what threads lose that live one after another adds up", "[analysis][lost_time]") {
    // main, three workers that are joined one by one, and one beside the first two of these
    const std::vector<ThreadLoss> threads{
        {0, 100, {4, 0}}, {10, 20, {10, 1}}, {20, 30, {10, 0}}, {70, 90, {10, 2}}, {12, 60, {15, 0}}};
    CHECK(lost_time(threads).sum() == 33);
    std::vector<ThreadLoss> beside = threads;
    beside.back().lost.hooks = 22;
    CHECK(lost_time(beside).sum() == 34);
    beside.front().lost.hooks = 50; // main alone lost more than all those that it waited for
    CHECK(lost_time(beside).sum() == 50);
}
