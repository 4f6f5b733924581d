// SPDX-License-Identifier: BSD-3-Clause
#include "config/timing_wish.hpp"

#include <catch2/catch.hpp>

using namespace vftr::config;
using Kind = TimingWish::Kind;

TEST_CASE("the timings that vftr ctl takes", "[config]") {
    CHECK(parse_timing("exact")->kind == Kind::Exact);
    CHECK(parse_timing("adaptive")->kind == Kind::Adaptive);
    CHECK(parse_timing("budget")->kind == Kind::Budget);
    CHECK(parse_timing("budget")->budget == 0);
    CHECK(parse_timing("budget=0.001")->budget == 0.001);
    CHECK(parse_timing("budget=1")->budget == 1);
    for (const char* wrong : {"", "fast", "exactly", "Exact", "budget=", "budget=0", "budget=1.01", "budget=0.0009",
                              "budget=x", "budget=0.1x", "budget = 0.1", "budget=nan", "budget=1e-2", "exact=1"}) {
        INFO(wrong);
        CHECK_FALSE(parse_timing(wrong));
    }
}
