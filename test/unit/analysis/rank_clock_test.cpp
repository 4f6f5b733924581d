// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timeline/rank_clock.hpp"

#include <catch2/catch.hpp>

#include <cstring>

using vftr::analysis::RankClock;
using vftr::vfd::FileHeader;

namespace {

FileHeader header(std::int32_t rank, const char* host) {
    FileHeader header{};
    header.rank = rank;
    std::strcpy(header.hostname, host);
    header.start.monotonic_ns = 1000000;
    header.start.realtime_ns = 1700000001000000000;
    return header;
}

} // namespace

TEST_CASE("the clock of rank 0 is its own", "[clock]") {
    FileHeader first = header(0, "a");
    first.clock_offset[0] = {1, 77, 5};
    RankClock clock(first, first);
    CHECK(clock.convert(123456789) == 123456789);
    CHECK(clock.error_ns() == 0);
    CHECK(clock.known());
}

TEST_CASE("between start and end the offset is on a line", "[clock]") {
    FileHeader own = header(1, "b");
    own.clock_offset[0] = {1000, -500, 30};
    own.clock_offset[1] = {1001000, -1500, 40};
    RankClock clock(own, header(0, "a"));
    CHECK(clock.convert(1000) == 500);
    CHECK(clock.convert(1001000) == 999500);
    CHECK(clock.convert(501000) == 500000);
    CHECK(clock.convert(2001000) == 1998500); // it goes on like that
    CHECK(clock.error_ns() == 40);
    CHECK(clock.known());
}

TEST_CASE("an offset that was measured once holds for the whole run", "[clock]") {
    FileHeader own = header(1, "b");
    own.clock_offset[1] = {1000, 250, 30};
    RankClock clock(own, header(0, "a"));
    CHECK(clock.convert(5000) == 5250);
    CHECK(clock.error_ns() == 30);
}

TEST_CASE("without a measurement a machine has one clock, and machines agree on the time of day", "[clock]") {
    FileHeader near = header(1, "a"), far = header(2, "b");
    near.start.monotonic_ns += 70000000; // began later
    near.start.realtime_ns += 70000000;
    far.start.monotonic_ns = 3000000;
    RankClock same(near, header(0, "a")), other(far, header(0, "a"));
    CHECK(same.convert(5) == 5);
    CHECK(same.error_ns() == 0);
    CHECK(other.convert(3000000) == 1000000);
    CHECK(other.error_ns() == vftr::analysis::RealtimeError);
    CHECK(same.known());
    CHECK_FALSE(other.known());
    far = header(3, "a"); // another machine of that name
    far.start.monotonic_ns = 3000000000;
    CHECK_FALSE(RankClock(far, header(0, "a")).known());
}

TEST_CASE("damaged times do not overflow", "[clock]") {
    FileHeader own = header(1, "b"), first = header(0, "a");
    own.start = {~0ull, ~0ull, ~0ull};
    CHECK_NOTHROW(RankClock(own, first).convert(~0ull));
    own.clock_offset[0] = {~0ull, INT64_MIN, ~0ull};
    own.clock_offset[1] = {~0ull, INT64_MAX, 1};
    CHECK_NOTHROW(RankClock(own, first).convert(~0ull));
    own.clock_offset[0].monotonic_ns = 0;
    CHECK_NOTHROW(RankClock(own, first).convert(~0ull));
}
