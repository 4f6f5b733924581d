// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/tree.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <utility>

using namespace vftr;
using analysis::Profile;
using mpi::Clock;

namespace {

using Bytes = std::vector<std::byte>;

// A rank only ever sends to a lower one. So ranks that run one after the other, the highest first,
// do what ranks that run at the same time do, and nobody waits.
struct World {
    explicit World(int ranks, std::set<int> missing = {})
        : size(ranks), absent(std::move(missing)) {}
    int size;
    std::set<int> absent;
    std::map<std::pair<int, int>, Bytes> mail; // from, to
    std::map<std::pair<int, int>, Clock::time_point> send_deadlines, receive_deadlines;
};

class FakeLink : public mpi::Link {
public:
    FakeLink(World& world, int rank) : world_(world), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return world_.size; }
    bool send(int to, Bytes bytes, Clock::time_point deadline) override {
        world_.send_deadlines[{rank_, to}] = deadline;
        world_.mail[{rank_, to}] = std::move(bytes);
        return !world_.absent.contains(to);
    }
    std::optional<Bytes> receive(int from, Clock::time_point deadline) override {
        world_.receive_deadlines[{from, rank_}] = deadline;
        const auto letter = world_.mail.find({from, rank_});
        if (letter == world_.mail.end())
            return std::nullopt;
        return letter->second;
    }

private:
    World& world_;
    int rank_;
};

Profile profile_of_rank(int rank) {
    Profile profile;
    profile.names = {"init", "main"};
    const auto ns = static_cast<std::uint64_t>(rank + 1);
    const analysis::RankStat stat{ns, ns, ns, rank, rank};
    analysis::PathNode root;
    root.kind = vfd::NodeKind::Root;
    root.calls = root.ranks = 1;
    root.exclusive = root.inclusive = stat;
    analysis::PathNode main = root;
    main.name = 1;
    main.kind = vfd::NodeKind::Function;
    main.calls = 10;
    profile.nodes = {root, main};
    profile.first_rank = rank;
    profile.rank_count = 1;
    profile.application = "a.out";
    return profile;
}

mpi::Reduced run(World& world) {
    mpi::Reduced result;
    for (int rank = world.size - 1; rank >= 0; --rank) {
        if (world.absent.contains(rank))
            continue;
        FakeLink link(world, rank);
        result = mpi::reduce(link, profile_of_rank(rank), 10.0);
    }
    return result;
}

} // namespace

TEST_CASE("the tree brings every rank but the first to rank 0, whatever their number", "[mpi]") {
    const int size = GENERATE(1, 2, 3, 4, 5, 6, 7, 8, 13, 64, 100);
    World world(size);
    const auto [profile, sent, all_came] = run(world);
    CHECK((sent && all_came));
    CHECK(profile.rank_count == static_cast<unsigned>(size - 1));
    CHECK(profile.missing_ranks.empty());
    CHECK(world.mail.size() == static_cast<std::size_t>(size - 1));
    if (size > 1) {
        REQUIRE(profile.nodes.size() == 2);
        CHECK(profile.nodes[1].calls == 10u * (size - 1));
        CHECK(profile.first_rank == 1);
        CHECK(profile.nodes[1].exclusive.max_rank == size - 1);
    }
}

TEST_CASE("a rank that does not come is missing together with the ranks that only it can reach",
          "[mpi]") {
    struct Case {
        int absent;
        analysis::RankList missing;
    };
    const auto [absent, missing] = GENERATE(
        values<Case>({{1, {1}}, {2, {2, 3}}, {3, {3}}, {4, {4, 5, 6}}, {5, {5}}, {6, {6}}}));
    World world(7, {absent});
    const auto profile = run(world).profile;
    CHECK(profile.missing_ranks == missing);
    CHECK(profile.rank_count == 6 - missing.count());
}

TEST_CASE("bytes that are no profile make their rank missing", "[mpi]") {
    World world(2);
    world.mail[{1, 0}] = Bytes(5, std::byte{0x55});
    FakeLink link(world, 0);
    const auto [profile, sent, all_came] = mpi::reduce(link, profile_of_rank(0), 2.0);
    CHECK_FALSE(all_came);
    CHECK(profile.missing_ranks == analysis::RankList{1});
}

TEST_CASE("a rank that has no profile is missing, not its partners", "[mpi]") {
    World world(4);
    for (int rank = 3; rank > 0; --rank) {
        FakeLink link(world, rank);
        mpi::reduce(link, rank == 2 ? Profile{} : profile_of_rank(rank), 10.0);
    }
    FakeLink link(world, 0);
    const auto profile = mpi::reduce(link, profile_of_rank(0), 2.0).profile;
    CHECK(profile.missing_ranks == analysis::RankList{2});
    CHECK(profile.rank_count == 2);
}

TEST_CASE("who waits for a rank waits longer than that rank waits for its own partners", "[mpi]") {
    World world(32);
    run(world);
    for (const auto& [path, deadline] : world.receive_deadlines) {
        const int child = path.first;
        for (const auto& [below, its_deadline] : world.receive_deadlines)
            if (below.second == child)
                CHECK(its_deadline + std::chrono::seconds(1) < deadline);
    }
}
