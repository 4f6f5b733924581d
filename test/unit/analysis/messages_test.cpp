// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/merge/serialize.hpp"
#include "profile_builder.hpp"
#include "vfd/image.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <numeric>
#include <random>

using namespace vftr::analysis;
using namespace vftr::test;

namespace {

// A rank that sends to `partners` others, on paths that it found in an order of its own.
Profile talking_rank(std::uint32_t rank, std::uint32_t size, std::uint32_t partners) {
    std::mt19937 random(rank + 1);
    Profile profile = one_rank(static_cast<std::int32_t>(rank));
    std::vector<std::string> paths{"MPI_Send<main<init", "MPI_Send<f<main<init", "MPI_Put<g<main<init"};
    std::shuffle(paths.begin(), paths.end(), random);
    for (const std::string& path : paths)
        add(profile, path, 1, 10, 10);
    for (std::uint32_t i = 0; i < partners; ++i) {
        MessageSum sum{1 + random() % 3, (random() % 5) * 1000, random() % 7}; // many are equal
        add_sent(profile, paths[random() % 3], (rank + 1 + i * 7) % size, sum, random() % 8 == 0);
    }
    add_received(profile, "MPI_Recv<main<init", {random() % 9 + 1, random() % 99, 4});
    profile.world_size = size;
    return profile;
}

Profile merged(std::vector<Profile> parts, std::mt19937& random) {
    while (parts.size() > 1) {
        std::swap(parts[random() % parts.size()], parts.back());
        Profile last = std::move(parts.back());
        parts.pop_back();
        merge(parts[random() % parts.size()], deserialize(serialize(last), "x"));
    }
    canonicalise(parts[0]);
    return parts[0];
}

const PathMessages& messages_of(const Profile& profile, std::string_view path) {
    for (const PathMessages& entry : profile.messages)
        if (call_path(profile, entry.node) == path)
            return entry;
    throw std::runtime_error("no messages");
}

} // namespace

TEST_CASE("messages of several ranks add up per call path and pair", "[messages]") {
    Profile a = one_rank(0), b = one_rank(1);
    add_sent(a, "MPI_Send<main<init", 1, {3, 300, 30});
    add_received(a, "MPI_Recv<main<init", {1, 5, 7});
    add(b, "z<init", 1, 1, 1);
    add_sent(b, "MPI_Send<main<init", 0, {1, 5, 6});
    add_received(b, "MPI_Recv<main<init", {3, 300, 31});
    a.world_size = b.world_size = 2;
    merge(a, b);
    canonicalise(a);
    CHECK(messages_of(a, "MPI_Send<main<init").sent == MessageSum{4, 305, 36});
    CHECK(messages_of(a, "MPI_Send<main<init").received == MessageSum{});
    CHECK(messages_of(a, "MPI_Recv<main<init").received == MessageSum{4, 305, 38});
    REQUIRE(a.matrix.size() == 2);
    CHECK(a.matrix[0].pair == RankPair{0, 1, 0});
    CHECK(a.matrix[0].sum == MessageSum{3, 300, 30});
    CHECK(a.matrix[1].pair == RankPair{1, 0, 0});
    CHECK(a.sent_bytes.sum == 305);
    CHECK(a.sent_bytes.max == 300);
    CHECK(a.sent_bytes.max_rank == 0);
    CHECK(a.received_messages.min_rank == 0);
    CHECK(a.received_messages.max == 3);
    CHECK(a.world_size == 2);
}

TEST_CASE("a rank without messages counts as one that sent nothing", "[messages]") {
    Profile a = one_rank(1), silent = one_rank(2);
    add_sent(a, "MPI_Send<init", 2, {3, 300, 30});
    merge(silent, a);
    CHECK(silent.sent_bytes.min == 0);
    CHECK(silent.sent_bytes.min_rank == 2);
    CHECK(silent.sent_bytes.max_rank == 1);
}

TEST_CASE("messages of a forked child belong to its rank", "[messages]") {
    Profile parent = one_rank(2), child = one_rank(2);
    add_sent(parent, "MPI_Send<init", 1, {3, 300, 30});
    add(child, "x<init", 1, 1, 1);
    add_sent(child, "MPI_Send<init", 1, {1, 10, 1});
    add_process(parent, child);
    canonicalise(parent);
    CHECK(messages_of(parent, "MPI_Send<init").sent == MessageSum{4, 310, 31});
    REQUIRE(parent.matrix.size() == 1);
    CHECK(parent.matrix[0].sum == MessageSum{4, 310, 31});
    CHECK(parent.sent_bytes.min == 310);
    CHECK(parent.sent_bytes.max == 310);
}

TEST_CASE("messages merge to the same bytes in any order, in small and large jobs", "[messages]") {
    const std::uint32_t size = GENERATE(8u, 64u, 65u, 200u);
    std::vector<Profile> ranks;
    for (std::uint32_t rank = 0; rank < size; ++rank)
        ranks.push_back(talking_rank(rank, size, 9));
    std::mt19937 random(3);
    std::vector<std::byte> first = serialize(merged(ranks, random));
    for (int trial = 0; trial < 8; ++trial)
        REQUIRE(serialize(merged(ranks, random)) == first);
}

TEST_CASE("of a large job the heaviest pairs are kept whole", "[messages]") {
    constexpr std::uint32_t Size = 300;
    std::mt19937 random(1);
    std::vector<Profile> ranks;
    std::map<RankPair, std::uint64_t> bytes;
    for (std::uint32_t rank = 0; rank < Size; ++rank) {
        Profile one = one_rank(static_cast<std::int32_t>(rank));
        one.world_size = Size;
        for (std::uint32_t i = 1; i < 30; ++i) {
            MessageSum sum{1, random(), 1};
            add_sent(one, "MPI_Send<init", (rank + i) % Size, sum);
            bytes[{rank, (rank + i) % Size, 0}] += sum.bytes;
        }
        ranks.push_back(one);
    }
    Profile all = merged(ranks, random);
    CHECK(all.matrix.size() == HeaviestPairs);
    std::vector<std::uint64_t> heaviest, kept;
    for (const auto& [pair, sum] : bytes)
        heaviest.push_back(sum);
    std::sort(heaviest.rbegin(), heaviest.rend());
    heaviest.resize(HeaviestPairs);
    for (const MatrixCell& cell : all.matrix) {
        CHECK(cell.sum.bytes == bytes[cell.pair]);
        kept.push_back(cell.sum.bytes);
    }
    std::sort(kept.rbegin(), kept.rend());
    CHECK(kept == heaviest);
    CHECK(all.sent_messages.sum == Size * 29);
    CHECK(all.lighter_pairs.pairs == Size * 29 - HeaviestPairs);
    CHECK(all.lighter_pairs.sum.bytes ==
          all.sent_bytes.sum - std::accumulate(kept.begin(), kept.end(), std::uint64_t{0}));
}

TEST_CASE("what a rank of a large job passes on does not grow with its number of partners", "[messages]") {
    Profile few, many;
    merge(few, talking_rank(3, 5000, HeaviestPairs));
    merge(many, talking_rank(3, 5000, 4900));
    CHECK(many.matrix.size() == HeaviestPairs);
    CHECK(serialize(many).size() < 2 * serialize(few).size());
}

TEST_CASE("damaged messages are refused with a reason", "[messages]") {
    auto reason = [](const Profile& profile) -> std::string {
        try {
            deserialize(serialize(profile), "x.vfd");
        } catch (const vftr::vfd::Error& error) {
            return error.what();
        }
        return "";
    };
    Profile profile = talking_rank(1, 5, 4);
    canonicalise(profile);
    CHECK(reason(profile) == "");
    Profile bad = profile;
    bad.messages.back().node = 1000;
    CHECK(reason(bad).find("call path") != std::string::npos);
    bad = profile;
    bad.messages.push_back(bad.messages.back());
    CHECK(reason(bad).find("twice") != std::string::npos);
    bad = profile;
    bad.matrix.back().pair.node = 1000;
    CHECK(reason(bad).find("pair of ranks") != std::string::npos);
    bad = profile;
    std::swap(bad.matrix.front(), bad.matrix.back());
    CHECK(reason(bad).find("pair of ranks") != std::string::npos);
}
