// SPDX-License-Identifier: BSD-3-Clause
#include "record/samples/sample_cost.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>

using namespace vftr::record;

TEST_CASE("the period of samples follows what one costs, within bounds", "[record][samples]") {
    CHECK(period_for(0) == ShortestSamplePeriod);
    CHECK(period_for(1'500) == ShortestSamplePeriod); // 0.15 % of a millisecond
    CHECK(period_for(2'500) == 1'250'000);
    CHECK(period_for(20'000) == 10'000'000);
    CHECK(period_for(20'000'000) == LongestSamplePeriod);
    CHECK(period_for(~std::uint64_t{0}) == LongestSamplePeriod);
}

// How long it takes depends on the machine, so there is no more to say than that something takes less than a core's
// share of a second.
TEST_CASE("what a sample costs is measured where the kernel takes any, and nothing is left behind",
          "[record][samples]") {
    const std::int64_t cost = cost_of_a_sample();
    if (cost >= 0) {
        CHECK(cost > 100);
        CHECK(cost < 1'000'000'000);
    }
    std::ifstream maps("/proc/self/maps");
    const std::string mapped{std::istreambuf_iterator<char>(maps), {}};
    CHECK_FALSE(mapped.empty());
    CHECK(mapped.find("perf_event") == std::string::npos);
}
