// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/reduction_tree.hpp"

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
    explicit World(int ranks, std::set<int> missing = {}) : size(ranks), absent(std::move(missing)) {}
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
    analysis::PathNode root;
    root.kind = vfd::NodeKind::Root;
    root.calls = root.ranks = 1;
    root.exclusive = root.inclusive = ns;
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
    const mpi::Reduced reduced = run(world);
    const Profile& profile = reduced.profile;
    CHECK((reduced.sent && reduced.all_came));
    CHECK_FALSE(reduced.wants_stids);
    CHECK(profile.rank_count == static_cast<unsigned>(size - 1));
    CHECK(profile.missing_ranks.empty());
    CHECK(world.mail.size() == static_cast<std::size_t>(size - 1));
    if (size > 1) {
        REQUIRE(profile.nodes.size() == 2);
        CHECK(profile.nodes[1].calls == 10u * (size - 1));
        CHECK(profile.first_rank == 1);
        CHECK(profile.exclusive(1).max_rank == size - 1);
    }
}

TEST_CASE("a rank that does not come is missing together with the ranks that only it can reach", "[mpi]") {
    struct Case {
        int absent;
        analysis::RankList missing;
    };
    const auto [absent, missing] =
        GENERATE(values<Case>({{1, {1}}, {2, {2, 3}}, {3, {3}}, {4, {4, 5, 6}}, {5, {5}}, {6, {6}}}));
    World world(7, {absent});
    const auto profile = run(world).profile;
    CHECK(profile.missing_ranks == missing);
    CHECK(profile.rank_count == 6 - missing.count());
}

TEST_CASE("bytes that are no profile make their rank missing", "[mpi]") {
    World world(2);
    world.mail[{1, 0}] = Bytes(5, std::byte{0x55});
    FakeLink link(world, 0);
    const mpi::Reduced reduced = mpi::reduce(link, profile_of_rank(0), 2.0);
    CHECK_FALSE(reduced.all_came);
    CHECK(reduced.profile.missing_ranks == analysis::RankList{1});
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

namespace {

// Path "f<n>" of rank n below main, beside what all have.
Profile profile_with_own_path(int rank) {
    Profile profile = profile_of_rank(rank);
    analysis::PathNode own = profile.nodes[1];
    own.parent = 1;
    own.name = 2;
    profile.names.push_back("f" + std::to_string(100 - rank));
    profile.nodes.push_back(own);
    return profile;
}

} // namespace

// Issue: STIDs of rank logs differ from those of `_all.log` (the contract says they are global)
TEST_CASE("STIDs come back down the tree to those that want them", "[mpi]") {
    const int size = GENERATE(2, 3, 5, 8, 13);
    const std::set<int> wanting = GENERATE(values<std::set<int>>({{1}, {1, 2, 3, 4, 5, 6, 7}, {12}}));
    World world(size);
    std::vector<mpi::Reduced> reduced(static_cast<std::size_t>(size));
    for (int rank = size - 1; rank >= 0; --rank) {
        FakeLink link(world, rank);
        reduced[static_cast<std::size_t>(rank)] =
            mpi::reduce(link, profile_with_own_path(rank), 10.0, Clock::now(), wanting.contains(rank));
    }
    const bool anybody = *wanting.begin() < size;
    REQUIRE(reduced[0].wants_stids == anybody);
    if (!anybody)
        return;
    const analysis::Numbering job = mpi::number_job(profile_with_own_path(0), reduced[0].profile);
    CHECK(job.first_free == static_cast<unsigned>(size + 2));
    world.mail.clear();
    bool quiet = true;
    for (int rank = 0; rank < size; ++rank) {
        mpi::Reduced& mine = reduced[static_cast<std::size_t>(rank)];
        if (!mine.wants_stids)
            continue;
        FakeLink link(world, rank);
        const mpi::Stids stids = mpi::hand_back(link, mine, rank == 0 ? mpi::stids_in(job, mine.profile) : mpi::Stids{},
                                                Clock::now() + std::chrono::seconds(10), quiet);
        if (rank == 0)
            continue;
        const analysis::Numbering own = mpi::numbered(analysis::numbering_of(profile_with_own_path(rank)), stids);
        REQUIRE(own.stids.size() == 3);
        CHECK(own.first_free == job.first_free);
        // Breadth first, by name: init, main, f<100 - n> from the highest rank to the lowest.
        CHECK(own.stids[1] == 1);
        CHECK(own.stids[2] == stids_of(profile_with_own_path(rank), job)[2]);
    }
    CHECK(quiet);
    // Nothing goes to ranks that want nothing and stand for nobody who does.
    for (const auto& [path, bytes] : world.mail)
        CHECK(reduced[static_cast<std::size_t>(path.second)].wants_stids);
}

TEST_CASE("STIDs that are not for these paths are not taken", "[mpi]") {
    const analysis::Numbering paths = analysis::numbering_of(profile_with_own_path(1));
    CHECK(mpi::numbered(paths, std::vector<std::uint32_t>{9, 0, 1, 5}).first_free == 9);
    CHECK(mpi::numbered(paths, std::vector<std::uint32_t>{}).first_free == 0);
    CHECK(mpi::numbered(paths, std::vector<std::uint32_t>{9, 0, 1}).first_free == 0);
    CHECK(mpi::numbered(paths, std::vector<std::uint32_t>{9, 0, 1, 9}).first_free == 0); // not given
    CHECK(mpi::numbered(paths, std::vector<std::uint32_t>{9, 0, 5, 1}).first_free == 0); // before its caller
}
