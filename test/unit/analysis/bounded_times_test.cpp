// SPDX-License-Identifier: BSD-3-Clause
//
// Issue: the cost of hooks is subtracted from the callers of tiny functions until nothing is left, and these functions
// keep what the hooks took within them.
#include "analysis/recording/bounded_times.hpp"

#include "one_thread.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

using namespace vftr;
using namespace vftr::analysis;
using vftr::test::Recording;
using vftr::test::timed_costs;

namespace {

// One function that is called by the root, and calls a tiny one. Ticks are a third of a nanosecond.
constexpr double NsPerTick = 1.0 / 3, PairCost = 100;
enum : std::uint32_t { Root, Loop, Tiny, Functions };

// By function: the time without hooks, and what hooks really take of it.
struct Truth {
    std::uint64_t own[Functions], hooks[Functions];
    std::uint64_t calls = 1'000'000;
};

Recording recorded(const Truth& truth) {
    Recording recording;
    recording.costs = timed_costs(PairCost, 30);
    std::uint64_t raw[Functions], all = 0;
    for (std::uint32_t f = 0; f < Functions; ++f)
        all += raw[f] = truth.own[f] + truth.hooks[f];
    recording.add(Root, 1, raw[Loop], raw[Loop] + raw[Tiny]);
    recording.add(Loop, truth.calls, raw[Tiny], raw[Tiny]);
    recording.nodes[Root].exclusive = raw[Root];
    recording.nodes[Root].inclusive = all;
    return recording;
}

ThreadTimes times_of(const Recording& recording) { return thread_times(recording.view(), recording.costs, 0); }

ThreadTimes bounded(const Recording& recording) {
    const std::vector<std::uint32_t> function_of{Root, Loop, Tiny};
    ThreadTimes times = times_of(recording);
    use_bounds(recording.view(), Functions, function_of, NsPerTick, times);
    return times;
}

// By the model a pair takes 70 ticks of the loop and 30 of the tiny function.
const Truth Contradictory{{0, 15'000'000, 1'000'000}, {0, 40'000'000, 45'000'000}};
const Truth Consistent{{0, 90'000'000, 30'000'000}, {0, 65'000'000, 25'000'000}};

} // namespace

TEST_CASE("a model that claims more than there was is told from one that does not", "[bounded_times]") {
    CHECK(is_contradictory(times_of(recorded(Contradictory)), PairCost));
    CHECK_FALSE(is_contradictory(times_of(recorded(Consistent)), PairCost));
    CHECK_FALSE(is_contradictory(times_of(recorded({{0, 150, 10}, {0, 400, 450}, 10})), PairCost)); // of ten calls
}

TEST_CASE("the caller of tiny functions keeps time, and these lose what hooks took in them", "[bounded_times]") {
    const Recording recording = recorded(Contradictory);
    const ThreadTimes before = times_of(recording), times = bounded(recording);
    CHECK(before.of[Loop].exclusive == 0);
    CHECK(before.of[Tiny].exclusive == 16'000'000);             // 46 million less 30
    CHECK(times.of[Loop].exclusive >= Contradictory.calls * 2); // near a nanosecond a call
    CHECK(times.of[Tiny].exclusive < 10'000'000);
    CHECK(times.of[Tiny].exclusive >= Contradictory.calls / 2);
    for (const std::uint32_t f : {Loop, Tiny}) {
        INFO(f << ": " << times.of[f].exclusive << " ± " << times.unknown[f]);
        CHECK(std::abs(static_cast<double>(times.of[f].exclusive) - static_cast<double>(Contradictory.own[f])) <=
              times.unknown[f]);
    }
}

TEST_CASE("times and costs add up to the time that passed", "[bounded_times]") {
    const Recording recording = recorded(Contradictory);
    const ThreadTimes times = bounded(recording);
    double all = 0, raw = 0;
    for (const NodeTimes& node : times.of) {
        all += static_cast<double>(node.exclusive) + node.overhead;
        raw += static_cast<double>(node.raw_exclusive);
    }
    CHECK(all == Approx(raw).epsilon(1e-6));
    CHECK(times.of[Loop].inclusive == Approx(times.of[Loop].exclusive + times.of[Tiny].exclusive).margin(2));
    CHECK(times.of[Root].inclusive == Approx(times.of[Loop].inclusive + times.of[Root].exclusive).margin(2));
}

TEST_CASE("a long function keeps its exact time beside them", "[bounded_times]") {
    Recording recording = recorded(Contradictory);
    const std::uint32_t calm = recording.add(Root, 10, 50'000'000, 50'000'000);
    recording.nodes[Root].inclusive += 50'000'000;
    ThreadTimes times = times_of(recording);
    const std::uint64_t exact = times.of[calm].exclusive;
    const double unknown = times.unknown[calm];
    REQUIRE(is_contradictory(times, PairCost));
    use_bounds(recording.view(), Functions + 1, std::vector<std::uint32_t>{Root, Loop, Tiny, calm}, NsPerTick, times);
    CHECK(times.of[calm].exclusive == exact);
    CHECK(times.unknown[calm] == Approx(unknown));
    CHECK(times.of[Loop].exclusive > 0);
}

// Pairs take from half to a fifth more than the model says, and divide between caller and function in any way.
TEST_CASE("the intervals of bounded times hold", "[bounded_times][trials]") {
    constexpr int Trials = 2000;
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> cost(50, 120), within(0.1, 0.7), loop(2, 30), tiny(0.5, 6);
    int trials = 0, held[Functions] = {};
    while (trials < Trials) {
        const double pair = cost(random), inside = pair * within(random);
        const auto million = [](double ticks) { return static_cast<std::uint64_t>(ticks * 1e6); };
        const Truth truth{{0, million(loop(random)), million(tiny(random))},
                          {0, million(pair - inside), million(inside)}};
        const Recording recording = recorded(truth);
        if (!is_contradictory(times_of(recording), PairCost))
            continue;
        const ThreadTimes times = bounded(recording);
        for (const std::uint32_t f : {Loop, Tiny})
            held[f] += std::abs(static_cast<double>(times.of[f].exclusive) - static_cast<double>(truth.own[f])) <=
                       times.unknown[f];
        ++trials;
    }
    for (const std::uint32_t f : {Loop, Tiny}) {
        INFO("function " << f << ": " << held[f] << " intervals held");
        CHECK(held[f] >= 0.95 * Trials);
    }
}
