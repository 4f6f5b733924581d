// SPDX-License-Identifier: BSD-3-Clause
//
// Issue: make the stated error cover what happened.
#include "one_thread.hpp"

#include <catch2/catch.hpp>

using namespace vftr;
using vftr::test::Recording;
using vftr::test::timed_costs;
using vftr::test::TimesByColumn;

TEST_CASE("of a long function a reading of the clock per call is unknown", "[compensation]") {
    Recording recording;
    recording.costs = timed_costs(80, 30);
    const std::uint32_t path = recording.add(0, 100, 100 * 1030, 100 * 1030);
    const TimesByColumn times = recording.times();
    CHECK(times.exclusive[path] == 100 * 1000);
    CHECK(times.unknown[path] == Approx(100 * 30));
}

TEST_CASE("of a function that takes next to no time a third of what hooks cost is unknown", "[compensation]") {
    Recording recording;
    recording.costs = timed_costs(80, 30);
    const std::uint32_t path = recording.add(0, 100, 100 * 33, 100 * 33);
    const TimesByColumn times = recording.times();
    CHECK(times.exclusive[path] == 300);
    CHECK(times.unknown[path] == Approx(100 * 10));
}

TEST_CASE("what is unknown of a call may be in the caller's time", "[compensation]") {
    Recording recording;
    recording.costs = timed_costs(80, 30);
    const std::uint32_t caller = recording.add(0, 1, 1000000, 1000000 + 100 * 50),
                        callee = recording.add(caller, 100, 100 * 50, 100 * 50);
    const TimesByColumn times = recording.times();
    CHECK(times.exclusive[callee] == 100 * 20);
    CHECK(times.unknown[callee] == Approx(100 * 20));
    // A third of what the hooks of the calls took outside of them, and its own call's reading.
    CHECK(times.unknown[caller] == Approx(100 * 20 + 100 * 50 / 3.0 + 30));
}

// The times of calls that are not timed are those of others, less what hooks cost in those: what is unknown of that is
// so for each of them.
TEST_CASE("what is unknown of timed calls is unknown of those that they stand for", "[compensation]") {
    Recording recording;
    recording.costs = timed_costs(80, 30);
    const std::uint32_t caller = recording.add(0, 1, 1000000, 1000000 + 10 * 130),
                        callee = recording.add(caller, 1000, 10 * 130, 10 * 130);
    vfd::Estimate& estimate = recording.estimate(callee, 990, 1000, 1000 * 130);
    estimate.timed = 10;
    const TimesByColumn times = recording.times();
    CHECK(times.exclusive[callee] == 1000 * 100);
    CHECK(times.unknown[callee] == Approx(1000 * 30));
}
