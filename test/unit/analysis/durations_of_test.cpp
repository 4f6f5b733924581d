// SPDX-License-Identifier: BSD-3-Clause
#include "one_thread.hpp"

#include "analysis/profile/profile.hpp"
#include "vfd/image.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace vftr;
using vfd::CallDurations;
using vftr::test::ImageBuilder;

namespace {

// As the recorder adds calls up.
class Records {
public:
    void add(std::uint32_t node, std::uint64_t ticks, std::uint64_t calls) {
        const std::uint32_t octave = CallDurations::octave_of(ticks);
        auto found = std::ranges::find_if(
            all, [&](const CallDurations& each) { return each.node == node && each.octave == octave; });
        if (found == all.end())
            found = all.insert(all.end(), CallDurations{node, octave, ticks, ticks, {}});
        found->shortest = std::min(found->shortest, ticks);
        found->longest = std::max(found->longest, ticks);
        found->calls[CallDurations::step_of(ticks)] += calls;
    }
    std::vector<CallDurations> all;
};

analysis::Profile profile_with(const std::vector<CallDurations>& durations) {
    vfd::Node function = ImageBuilder::function(0, 0x401000);
    function.calls = 10;
    ImageBuilder builder;
    builder.thread(0, {ImageBuilder::root(), function}).durations(0, durations);
    return analysis::profile_of(builder.open());
}

} // namespace

TEST_CASE("durations are counted by eighths of a power of two", "[durations]") {
    for (std::uint64_t ticks = 1; ticks < 5000; ++ticks) {
        const std::uint32_t octave = CallDurations::octave_of(ticks);
        const std::uint64_t first = std::uint64_t{1} << octave;
        REQUIRE(first <= ticks);
        REQUIRE(ticks < 2 * first);
        REQUIRE(CallDurations::step_of(ticks) == (ticks - first) * CallDurations::Steps / first);
    }
    CHECK(CallDurations::octave_of(~std::uint64_t{0}) == 63);
    CHECK(CallDurations::step_of(~std::uint64_t{0}) == 7);
}

TEST_CASE("recorded durations have the quantiles of the calls within a fifth", "[durations]") {
    std::mt19937_64 random(3);
    std::lognormal_distribution<double> spread(8, 2);
    Records records;
    std::vector<std::uint64_t> all;
    for (int i = 0; i < 2000; ++i) {
        const auto ticks = static_cast<std::uint64_t>(spread(random)) + 1, calls = 1 + random() % 3;
        records.add(1, ticks, calls);
        all.insert(all.end(), calls, ticks);
    }
    std::ranges::sort(all);
    const analysis::Profile profile = profile_with(records.all);
    REQUIRE(profile.durations.size() == 1);
    CHECK(profile.names[profile.nodes[profile.durations[0].node].name] != "init");
    const analysis::DurationHistogram& histogram = profile.durations[0].histogram;
    CHECK(histogram.count() == all.size());
    const double ns = static_cast<double>(histogram.longest()) / static_cast<double>(all.back());
    CHECK(static_cast<double>(histogram.shortest()) == Approx(static_cast<double>(all.front()) * ns).margin(1));
    for (const double share : {0.01, 0.25, 0.5, 0.9, 0.99}) {
        const double exact =
            static_cast<double>(all[static_cast<std::size_t>(share * static_cast<double>(all.size()))]) * ns;
        CHECK(static_cast<double>(histogram.quantile(share)) == Approx(exact).epsilon(0.2).margin(2));
    }
}

TEST_CASE("records of paths that are not there count for nothing, and impossible ones are refused", "[durations]") {
    CHECK(profile_with({{9, 3, 8, 15, {1}}, {0, 3, 8, 15, {1}}}).durations.empty());
    CHECK(profile_with({{1, 3, 8, 15, {}}}).durations.empty());
    CHECK_THROWS_AS(profile_with({{1, 64, 8, 15, {1}}}), vfd::Error);
    const analysis::Profile damaged = profile_with({{1, 3, 0, ~std::uint64_t{0}, {~std::uint64_t{0}}}});
    REQUIRE(damaged.durations.size() == 1);
    CHECK(damaged.durations[0].histogram.longest() < 1000);
}
