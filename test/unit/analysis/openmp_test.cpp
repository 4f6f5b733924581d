// SPDX-License-Identifier: BSD-3-Clause
//
// Issue: an OpenMP table in the log: region, calls, threads, time, wait time, imbalance.
#include "analysis/merge/serialize.hpp"
#include "analysis/profile/openmp.hpp"
#include "analysis/profile/profile.hpp"
#include "profile_builder.hpp"

#include "../vfd/image_builder.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace vftr;
using namespace vftr::analysis;
using namespace vftr::test;
using vfd::Construct;

namespace {

constexpr std::uint64_t Main = 0x401000, Work = 0x403000;

struct Team {
    std::uint32_t thread, node, largest;
    std::uint64_t ticks;
};

// Ticks are ns.
class Recording {
public:
    Recording() {
        builder.header.clock = vfd::ClockKind::Monotonic;
        builder.header.start = {1000, 1000, 500000};
        builder.header.end = {2000, 2000, 501000};
        builder.name(Main, "main").name(Work, "work");
    }
    Recording& thread(std::uint32_t index) {
        threads_[index] = {ImageBuilder::root()};
        nodes_ = &threads_[index];
        return *this;
    }
    Recording& node(std::uint32_t parent, vfd::NodeKind kind, std::uint64_t key, std::uint64_t exclusive,
                    std::uint64_t inclusive) {
        vfd::Node node = ImageBuilder::function(parent, key);
        node.kind = kind;
        node.exclusive = exclusive;
        node.inclusive = inclusive;
        nodes_->push_back(node);
        return *this;
    }
    Recording& function(std::uint32_t parent, std::uint64_t key, std::uint64_t exclusive, std::uint64_t inclusive) {
        return node(parent, vfd::NodeKind::Function, key, exclusive, inclusive);
    }
    Recording& omp(std::uint32_t parent, Construct construct, std::uint64_t exclusive, std::uint64_t inclusive,
                   std::uint64_t line = 1) {
        const std::uint64_t key = line | static_cast<std::uint64_t>(construct) << vfd::ConstructShift;
        builder.name(key, "omp " + std::to_string(static_cast<int>(construct)) + ":" + std::to_string(line),
                     vfd::NodeKind::OpenMp);
        return node(parent, vfd::NodeKind::OpenMp, key, exclusive, inclusive);
    }
    Recording& attributed(std::uint32_t parent, std::uint32_t thread, std::uint32_t id, std::uint64_t exclusive,
                          std::uint64_t inclusive) {
        return node(parent, vfd::NodeKind::AttributedWork, vfd::AttributedWorkKey | std::uint64_t{thread} << 32 | id,
                    exclusive, inclusive);
    }
    Recording& teams(std::uint32_t owner, const std::vector<Team>& teams) {
        Bytes bytes;
        for (const Team& team : teams)
            put(bytes, vfd::Team{team.thread, team.node, team.largest, 0, 1, team.largest, team.ticks});
        builder.segment(vfd::SegmentKind::Teams, owner, 0, bytes);
        return *this;
    }
    Profile profile() {
        for (const auto& [index, nodes] : threads_)
            builder.thread(index, nodes);
        Profile profile = profile_of(builder.open());
        canonicalise(profile);
        return profile;
    }

    ImageBuilder builder;

private:
    std::map<std::uint32_t, std::vector<vfd::Node>> threads_;
    std::vector<vfd::Node>* nodes_ = nullptr;
};

const OpenMpRegion& region_at(const Profile& profile, const std::string& path) {
    for (const OpenMpRegion& region : profile.regions)
        if (call_path(profile, region.node) == path)
            return region;
    throw std::runtime_error("no region " + path);
}

// Thread 0 works for 300 of 400 ticks, thread 1 for 100.
Profile uneven(std::int32_t rank) {
    Recording r;
    r.builder.header.rank = rank;
    r.builder.header.size = 8;
    r.builder.header.flags = vfd::FlagMpi;
    r.thread(0).function(0, Main, 50, 450).omp(1, Construct::Parallel, 50, 400).function(2, Work, 250, 250);
    r.omp(2, Construct::ImplicitBarrier, 100, 100);
    r.thread(1).attributed(0, 0, 2, 20, 350).function(1, Work, 80, 80).omp(1, Construct::Barrier, 250, 250);
    r.teams(0, {{0, 2, 2, 800}});
    return r.profile();
}

} // namespace

TEST_CASE("what a team does not spend busy is waiting") {
    const Profile p = uneven(0);
    REQUIRE(p.regions.size() == 1);
    const OpenMpRegion& region = region_at(p, "omp 1:1<main<init");
    CHECK(region.threads == 2);
    CHECK(region.time == 400);
    CHECK(region.team == 800);
    CHECK(region.wait == 800 - 300 - 100);
    CHECK(region.busiest == 300);
    CHECK(region.average == 200);
    CHECK(region.imbalance() == 50);
}

// Clang's, under which the hooks see what stands in the region.
TEST_CASE("the function that a compiler makes of a region's text is the region") {
    constexpr std::uint64_t Text = 0x404000, Debug = 0x405000, New = 0x406000;
    Recording r;
    r.builder.name(Text, ".omp_outlined..2")
        .name(Debug, ".omp_outlined._debug__")
        .name(New, "solve(int) [clone .omp_outlined_debug__]");
    r.thread(0)
        .function(0, Main, 50, 450)
        .omp(1, Construct::Parallel, 5, 400)
        .function(2, Text, 10, 295)
        .function(3, Debug, 35, 285)
        .function(4, Work, 250, 250);
    r.omp(2, Construct::ImplicitBarrier, 100, 100).function(2, Work, 5, 5);
    r.thread(1)
        .attributed(0, 0, 2, 20, 350)
        .function(1, New, 30, 330)
        .function(2, Work, 300, 300)
        .function(0, Debug, 1, 1);
    r.teams(0, {{0, 2, 2, 800}});
    const Profile p = r.profile();
    CHECK_FALSE(has(p, ".omp_outlined..2<omp 1:1<main<init"));
    CHECK(p.nodes.size() == 1 + 5);
    const PathNode& region = at(p, "omp 1:1<main<init");
    CHECK(region.calls == 1);
    CHECK(region.exclusive == 5 + 10 + 35 + 20 + 30);
    CHECK(region.threads == 2);
    CHECK(at(p, "work<omp 1:1<main<init").calls == 3);
    CHECK(at(p, "work<omp 1:1<main<init").exclusive == 555);
    CHECK(at(p, ".omp_outlined._debug__<init").calls == 1); // nobody knows whose it is
    CHECK(region_at(p, "omp 1:1<main<init").busiest == 350);

    Recording alone;
    alone.builder.name(Text, ".omp_outlined..2");
    alone.thread(0)
        .omp(0, Construct::Parallel, 5, 400)
        .function(1, Text, 95, 390)
        .function(2, Work, 295, 295)
        .function(1, Work, 5, 5);
    const Profile q = alone.profile();
    CHECK(at(q, "omp 1:1<init").exclusive == 100);
    CHECK(at(q, "omp 1:1<init").inclusive == 400);
    CHECK(at(q, "work<omp 1:1<init").exclusive == 300);
    CHECK(q.nodes.size() == 3);
}

TEST_CASE("tasks that are executed while a thread waits are work") {
    Recording r;
    r.thread(0)
        .omp(0, Construct::Parallel, 20, 400)
        .omp(1, Construct::Task, 0, 0)
        .omp(1, Construct::ImplicitBarrier, 80, 380);
    r.attributed(3, 0, 2, 0, 300).function(4, Work, 250, 250).omp(4, Construct::Taskwait, 50, 50);
    // Thread 1 executes one within its part, thread 2 outside of it.
    r.thread(1).attributed(0, 0, 1, 10, 390).omp(1, Construct::ImplicitBarrier, 180, 380).attributed(2, 0, 2, 200, 200);
    r.thread(2).attributed(0, 0, 1, 10, 10).attributed(0, 0, 2, 90, 90);
    r.teams(0, {{0, 1, 3, 1200}});
    const OpenMpRegion region = region_at(r.profile(), "omp 1:1<init");
    CHECK(region.busiest == 270);
    CHECK(region.average == (270 + 210 + 100) / 3);
    CHECK(region.wait == 1200 - 270 - 210 - 100);
}

TEST_CASE("a region within a region is work of who forks it, and waits by itself") {
    Recording r;
    r.thread(0).omp(0, Construct::Parallel, 0, 500).omp(1, Construct::Parallel, 0, 450, 2).function(2, Work, 300, 300);
    r.omp(2, Construct::ImplicitBarrier, 150, 150, 2).omp(1, Construct::ImplicitBarrier, 50, 50);
    r.thread(1)
        .attributed(0, 0, 1, 0, 500)
        .omp(1, Construct::Parallel, 200, 200, 2)
        .omp(1, Construct::ImplicitBarrier, 300, 300);
    r.thread(2).attributed(0, 0, 2, 450, 450);
    r.thread(3).attributed(0, 1, 2, 100, 100);
    r.teams(0, {{0, 1, 2, 1000}, {0, 2, 2, 900}}).teams(1, {{1, 2, 2, 400}});
    const Profile p = r.profile();
    const OpenMpRegion& outer = region_at(p, "omp 1:1<init");
    CHECK(outer.wait == 1000 - 450 - 200);
    CHECK(outer.time == 500);
    const OpenMpRegion& inner = region_at(p, "omp 1:2<omp 1:1<init");
    CHECK(inner.time == 650);
    CHECK(inner.team == 1300);
    CHECK(inner.threads == 2);
    CHECK(inner.wait == 1300 - 300 - 450 - 200 - 100);
    CHECK(inner.busiest == 450);
    CHECK(inner.average == (300 + 450 + 200 + 100) / 4);
    CHECK(p.nodes[inner.node].calls == 2);
}

TEST_CASE("a region that has not ended has no waiting yet, and its members are counted") {
    Recording r;
    r.thread(0).omp(0, Construct::Parallel, 100, 100);
    r.thread(1).attributed(0, 0, 1, 60, 60);
    const OpenMpRegion region = region_at(r.profile(), "omp 1:1<init");
    CHECK(region.threads == 2);
    CHECK(region.team == 0);
    CHECK(region.wait == 0);
    CHECK(region.imbalance() == 25);
}

TEST_CASE("regions of ranks merge in any order, and are written and read") {
    std::vector<std::byte> first;
    for (int order = 0; order < 2; ++order) {
        Profile all;
        for (std::int32_t i = 0; i < 3; ++i)
            merge(all, order == 0 ? uneven(i) : uneven(2 - i));
        canonicalise(all);
        REQUIRE(all.regions.size() == 1);
        CHECK(all.regions[0].time == 1200);
        CHECK(all.regions[0].threads == 2);
        CHECK(all.regions[0].imbalance() == 50);
        const std::vector<std::byte> bytes = serialize(all);
        if (order == 0)
            first = bytes;
        CHECK(bytes == first);
        const Profile back = deserialize(bytes, "test");
        CHECK(back.regions[0].wait == all.regions[0].wait);
        CHECK(serialize(back) == bytes);
    }
}

TEST_CASE("regions of a damaged profile are refused") {
    Profile p = uneven(0);
    p.regions[0].node = 77;
    CHECK_THROWS_AS(deserialize(serialize(p), "test"), vfd::Error);
}

TEST_CASE("teams that name what is not there are passed over") {
    Recording r;
    r.thread(0).omp(0, Construct::Parallel, 100, 100);
    r.teams(0, {{0, 1, 4, 400}, {7, 1, 9, 1}, {0, 99, 9, 1}, {0, 0, 9, 1}});
    const Profile p = r.profile();
    REQUIRE(p.regions.size() == 1);
    CHECK(p.regions[0].threads == 4);
    CHECK(p.regions[0].team == 400);
    CHECK(p.regions[0].wait == 300);
}
