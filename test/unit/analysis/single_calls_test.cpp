// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timeline/single_calls.hpp"

#include "recorded_program.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace vftr;
using namespace vftr::test;
using analysis::DurationClasses;
using analysis::DurationHistogram;

namespace {

// The paths of a function, all in group 0.
std::vector<std::uint32_t> group_of(const analysis::Profile& paths, const std::string& function) {
    std::vector<std::uint32_t> groups;
    for (const analysis::PathNode& node : paths.nodes)
        groups.push_back(paths.names[node.name] == function ? 0 : analysis::NoGroup);
    return groups;
}

analysis::CallGroup calls_of(const RecordedProgram& recorded, const std::string& function, std::size_t most) {
    return analysis::single_calls(recorded.run, group_of(recorded.run.paths(), function), 1, most).front();
}

// zeta is called for so many microseconds, one call after the other.
EventEncoder calls_of_zeta(const std::vector<std::uint64_t>& durations) {
    EventEncoder e(us(0));
    std::uint64_t now = 1;
    e.enter(us(now), Main);
    for (const std::uint64_t duration : durations) {
        e.enter(us(now), Zeta).leave(us(now + duration));
        now += duration + 1;
    }
    return e.leave(us(now));
}

} // namespace

TEST_CASE("a class of durations ends where the next one begins", "[durations]") {
    for (std::size_t i = 0; i + 1 < DurationClasses::Count; ++i) {
        REQUIRE(DurationClasses::of(DurationClasses::begin(i)) == i);
        REQUIRE(DurationClasses::of(DurationClasses::begin(i + 1) - 1) == i);
    }
    CHECK(DurationClasses::of(~std::uint64_t{0}) == DurationClasses::Count - 1);
}

TEST_CASE("a histogram knows quantiles within an eighth", "[durations]") {
    std::mt19937_64 random(1);
    std::lognormal_distribution<double> spread(10, 2);
    std::vector<std::uint64_t> durations;
    DurationHistogram histogram;
    CHECK(histogram.quantile(0.5) == 0);
    for (int i = 0; i < 1000; ++i) {
        durations.push_back(static_cast<std::uint64_t>(spread(random)));
        histogram.add(durations.back());
    }
    std::ranges::sort(durations);
    for (const std::size_t permille : {1, 10, 250, 500, 900, 990, 999, 1000}) {
        const auto exact = static_cast<double>(durations[permille - 1]);
        CHECK(static_cast<double>(histogram.quantile(static_cast<double>(permille) / 1000)) ==
              Approx(exact).epsilon(0.125));
    }
    CHECK(histogram.count() == 1000);
    CHECK(histogram.shortest() == durations.front());
    CHECK(histogram.longest() == durations.back());
    CHECK(histogram.quantile(1) == durations.back());
}

TEST_CASE("histograms add up to that of all calls", "[durations]") {
    std::mt19937_64 random(2);
    DurationHistogram all, parts[3], sum;
    for (int i = 0; i < 600; ++i) {
        const std::uint64_t ns = random() >> (20 + random() % 40), calls = 1 + random() % 5;
        all.add(ns, calls);
        parts[random() % 2].add(ns, calls);
    }
    for (const DurationHistogram& part : parts) // one of them is empty
        sum.add(part);
    CHECK(sum.count() == all.count());
    CHECK(sum.sum() == all.sum());
    CHECK(sum.shortest() == all.shortest());
    CHECK(sum.longest() == all.longest());
    for (int percent = 0; percent <= 100; ++percent)
        CHECK(sum.quantile(percent / 100.0) == all.quantile(percent / 100.0));
}

TEST_CASE("few calls have the quantiles that they can have", "[durations]") {
    DurationHistogram one;
    one.add(12345);
    CHECK(one.quantile(0.5) == 12345);
    CHECK(one.quantile(0.99) == 12345);
    DurationHistogram two;
    two.add(1000000);
    two.add(1);
    CHECK(two.quantile(0.5) == 1);
    CHECK(two.quantile(0.9) == 1000000);
}

TEST_CASE("single calls are those of the timeline, with all that they call", "[durations]") {
    const RecordedProgram recorded({program(nested_calls())});
    CHECK(analysis::has_single_calls(recorded.run));
    CHECK(calls_of(recorded, "alpha", 5).durations.longest() == 5000);
    CHECK(calls_of(recorded, "deep", 5).durations.longest() == 3000);
    CHECK(calls_of(recorded, "main", 5).durations.count() == 1);
    std::uint64_t calls = 0;
    for (const analysis::PathDurations& path : analysis::durations_by_path(recorded.run)) {
        CHECK(path.histogram.count() != 0);
        calls += path.histogram.count();
    }
    CHECK(calls == 5); // with the root
}

TEST_CASE("the longest calls are kept, with where and when they were", "[durations]") {
    const RecordedProgram recorded({program(calls_of_zeta({2, 9, 4})),
                                    program(calls_of_zeta({1, 50, 3}), vfd::FlagSampling | vfd::FlagAllEvents, 1)});
    const analysis::CallGroup group = calls_of(recorded, "zeta", 2);
    CHECK(group.durations.count() == 6);
    CHECK(group.durations.shortest() == 1000);
    REQUIRE(group.longest.size() == 2);
    const analysis::SingleCall& first = group.longest[0];
    CHECK(first.ns == 50000);
    CHECK(first.begin == 3000);
    CHECK(recorded.run.processes()[recorded.run.threads()[first.thread].process].rank == 1);
    CHECK(group.longest[1].ns == 9000);
    CHECK(recorded.run.processes()[recorded.run.threads()[group.longest[1].thread].process].rank == 0);
}

TEST_CASE("a timeline with one call at each interval tells no durations", "[durations]") {
    const RecordedProgram recorded({program(calls_of_zeta({2, 9}), vfd::FlagSampling)});
    CHECK_FALSE(analysis::has_single_calls(recorded.run));
    CHECK(calls_of(recorded, "zeta", 2).durations.count() == 0);
}

TEST_CASE("a call that has not ended has no duration", "[durations]") {
    EventEncoder e(us(0));
    e.enter(us(1), Main).enter(us(2), Zeta).leave(us(4)).enter(us(5), Zeta);
    ImageBuilder killed = program(e);
    killed.header.state = vfd::FileState::Open;
    const RecordedProgram recorded({std::move(killed)});
    CHECK(calls_of(recorded, "zeta", 2).durations.count() == 1);
    CHECK(calls_of(recorded, "main", 2).durations.count() == 0);
}
