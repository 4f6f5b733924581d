// SPDX-License-Identifier: BSD-3-Clause
#include "base/clock.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace vftr::base;

namespace {
// Unit tests of other rooms count in nanoseconds.
struct KeepSource {
    TickSource before = tick_source;
    ~KeepSource() { tick_source = before; }
};
} // namespace

TEST_CASE("ticks never run backwards on a thread", "[base][clock]") {
    KeepSource keep;
    choose_tick_source();
    std::uint64_t last = read_ticks(), backwards = 0;
    for (int i = 0; i < 10000; ++i) {
        std::uint64_t now = read_ticks();
        backwards += now < last;
        last = now;
    }
    CHECK(backwards == 0);
}

TEST_CASE("a moment is the same on all clocks", "[base][clock]") {
    KeepSource keep;
    for (TickSource source : {TickSource::Monotonic, TickSource::Tsc}) {
        if (source == TickSource::Tsc)
            choose_tick_source(); // or what this machine has
        Moment first = read_moment();
        while (monotonic_ns() - first.monotonic_ns < 2'000'000) {
        }
        Moment middle = read_moment();
        while (monotonic_ns() - middle.monotonic_ns < 2'000'000) {
        }
        Moment last = read_moment();
        auto rate = [](const Moment& a, const Moment& b) {
            return static_cast<double>(b.ticks - a.ticks) / static_cast<double>(b.monotonic_ns - a.monotonic_ns);
        };
        CHECK(rate(first, middle) == Approx(rate(middle, last)).epsilon(0.2));
        if (tick_source == TickSource::Monotonic)
            CHECK(rate(first, last) == Approx(1).epsilon(0.01));
        CHECK(last.realtime_ns > first.realtime_ns);
    }
}
