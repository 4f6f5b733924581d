// SPDX-License-Identifier: BSD-3-Clause
//
// Issue: hooks where they tell something. Calls that nothing counted, and their time.
#include "one_thread.hpp"

#include "analysis/profile/profile.hpp"
#include "vfd/image.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace vftr;
using vftr::test::ImageBuilder;
using vftr::test::Recording;
using vftr::test::TimesByColumn;

TEST_CASE("the time of unseen calls comes from the innermost path without any", "[unseen]") {
    Recording r;
    const std::uint32_t outer = r.add(0, 1, 1000, 2000), middle = r.add(outer, 10, 600, 1000),
                        hot = r.add(middle, 20, 300, 400), tiny = r.add(hot, 40, 100, 100);
    r.unseen = {{hot, 0, 20, 4}, {tiny, 0, 80, 0}};
    const TimesByColumn times = r.times();
    // 20 calls of 15 ticks and 80 calls of 2.5 ticks come from `middle`.
    CHECK(times.exclusive == std::vector<std::uint64_t>{0, 1000, 100, 600, 300});
    CHECK(times.inclusive == std::vector<std::uint64_t>{0, 2000, 1000, 900, 300});
    CHECK(times.raw_exclusive == times.exclusive);
    // The number of calls of `hot` is known to a fifth.
    CHECK(times.unknown[hot] == Approx(60));
    CHECK(times.unknown[tiny] == Approx(0));
    CHECK(times.unknown[middle] == Approx(60));
}

TEST_CASE("unseen calls take no more than the time that is there", "[unseen]") {
    Recording r;
    const std::uint32_t caller = r.add(0, 1, 90, 130), first = r.add(caller, 10, 10, 10),
                        second = r.add(caller, 10, 30, 30);
    r.unseen = {{first, 0, 1000, 10}, {second, 0, 2000, 10}};
    const TimesByColumn times = r.times();
    CHECK(times.exclusive[caller] == 0);
    CHECK(times.exclusive[first] == 10 + 13);
    CHECK(times.exclusive[second] == 30 + 77);
    CHECK(times.inclusive[caller] == 130);
}

TEST_CASE("a path of which no call was seen gets no time", "[unseen]") {
    Recording r;
    const std::uint32_t caller = r.add(0, 1, 90, 90), never = r.add(caller, 0, 0, 0);
    r.unseen = {{never, 0, 1000, 1000}};
    const TimesByColumn times = r.times();
    CHECK(times.exclusive[caller] == 90);
    CHECK(times.exclusive[never] == 0);
}

TEST_CASE("unseen calls are in the profile and marked there", "[unseen]") {
    vfd::Node hot = ImageBuilder::function(0, 0x401000);
    hot.calls = 10;
    ImageBuilder b;
    b.thread(0, {ImageBuilder::root(), hot}).unseen(0, {{1, 0, 89.6, 5.4}, {1, 0, 10, 1}, {7, 0, 1, 1}});
    const analysis::Profile profile = analysis::profile_of(b.open());
    REQUIRE(profile.nodes.size() == 2);
    CHECK(profile.nodes[1].calls == 110);
    CHECK(profile.nodes[1].unseen == 100);
    CHECK(profile.nodes[1].unseen_error == 6);
}

TEST_CASE("numbers of unseen calls that cannot be are damage", "[unseen]") {
    for (const double bad : {-1.0, 1e19, std::numeric_limits<double>::quiet_NaN()}) {
        ImageBuilder b;
        b.thread(0, {ImageBuilder::root()}).unseen(0, {{1, 0, bad, 0}});
        CHECK_THROWS_AS(b.open(), vfd::Error);
    }
}
