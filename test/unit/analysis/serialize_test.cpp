// SPDX-License-Identifier: BSD-3-Clause
#include "../trials.hpp"
#include "../vfd/image_builder.hpp"
#include "analysis/merge/bytes.hpp"
#include "analysis/merge/serialize.hpp"
#include "profile_builder.hpp"
#include "vfd/merged_file.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <random>

using namespace vftr::analysis;
using namespace vftr::test;

namespace {

// Ranks with trees, times and names that differ.
Profile random_rank(std::int32_t rank) {
    std::mt19937 random(static_cast<unsigned>(rank) + 17);
    Profile profile = one_rank(rank);
    std::vector<std::string> paths{"init"};
    for (int i = 0; i < 60; ++i) {
        std::string path = std::string(1, static_cast<char>('a' + random() % 6)) + "<" + paths[random() % paths.size()];
        paths.push_back(path);
        std::uint64_t time = random();
        add(profile, path, random() % 100, time, 2 * time + random() % 3);
    }
    profile.application = "app" + std::to_string(rank);
    profile.applications = {{"app" + std::to_string(rank % 3), {rank}}};
    profile.summary.start_realtime_ns = 1000 + random() % 100;
    for (auto* times : {&profile.summary.times.sum, &profile.summary.times.slowest})
        *times = {random(), random(), random(), random(), random()};
    profile.summary.times.slowest_rank = 3;
    profile.summary.times.longest = random();
    profile.summary.dropped = random() % 5;
    profile.summary.hook_calls_out = random() % 5;
    profile.summary.excluded_call_ps = random() % 5000;
    profile.summary.hook_calls_uncertain = random() % 5;
    profile.summary.refused_threads = random() % 5;
    profile.summary.threads_without_ring = random() % 5;
    profile.summary.cpu_without_samples = random() % 5;
    profile.hook_calls_stay = rank % 2 ? "reason " + std::to_string(random() % 5) : "";
    for (int i = 0; i < 5; ++i)
        add_sent(profile, paths[1 + random() % 60], random() % 9, {1 + random() % 4, random(), random()}, random() % 2,
                 true);
    add_received(profile, paths[1], {2, random(), 3});
    for (std::uint32_t i = 0; i < 200; ++i) { // more in all than have a row
        ThreadRow& row = add_thread(profile, i, i % 3 ? paths[random() % 60] : "", random() % 50, 50);
        row.function = paths[1 + random() % 60];
        row.worker = random() % 2;
    }
    profile.nodes[1].threads = 1 + random() % 3;
    profile.nodes[1].longest_thread = random() % 9;
    for (PathNode& node : profile.nodes) {
        node.raw_exclusive = node.exclusive + random() % 50;
        node.raw_inclusive = node.inclusive - random() % 2;
        node.estimated = random() % 3;
        node.unseen = random() % 3;
        node.unseen_error = node.unseen;
        node.excluded = random() % 2;
        node.variance = random() % 4 ? random() : ~std::uint64_t{0};
    }
    for (const std::uint32_t node : {2u, 5u, 7u}) {
        DurationHistogram histogram;
        for (std::uint64_t i = 0; i < 4; ++i)
            histogram.add(1 + random() % (std::uint64_t{1} << (5 + 9 * i)), 1 + random() % 3);
        profile.durations.push_back({node, histogram});
    }
    profile.world_size = 9;
    if (rank % 3 == 0)
        profile.missing_ranks = {100 + rank, 103 + rank};
    return profile;
}

Profile merged(std::vector<Profile> parts, std::mt19937& random) {
    while (parts.size() > 1) { // any tree of pairs
        std::swap(parts[random() % parts.size()], parts.back());
        Profile last = std::move(parts.back());
        parts.pop_back();
        merge(parts[random() % parts.size()], last);
    }
    canonicalise(parts[0]);
    return parts[0];
}

std::string reason(const std::vector<std::byte>& bytes) {
    try {
        deserialize(bytes, "x.vfd");
    } catch (const vftr::vfd::Error& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("merging eight ranks in any order gives the same bytes") {
    std::vector<Profile> ranks;
    for (std::int32_t rank = 0; rank < 8; ++rank)
        ranks.push_back(random_rank(rank));
    std::mt19937 random(3);
    std::vector<std::byte> first = serialize(merged(ranks, random));
    for (int trial = 0; trial < 50; ++trial)
        REQUIRE(serialize(merged(ranks, random)) == first);
}

TEST_CASE("a profile survives the way through bytes") {
    Profile profile = random_rank(2);
    merge(profile, random_rank(0));
    profile.nodes[3].kind = NodeKind::Mpi;
    profile.nodes[3].precise = true;
    profile.nodes[4].calls = std::numeric_limits<std::uint64_t>::max();
    profile.nodes[4].exclusive = ~0ull;
    profile.extremes[4].exclusive = {0, ~0ull, -1, 2147483647};
    profile.config_text = std::string("{\"a\": \"\0\"}", 9);
    profile.summary.mpi = true;
    profile.summary.messages_lost = true;
    profile.summary.short_of_space = true;
    std::vector<std::byte> bytes = serialize(profile);
    Profile back = deserialize(bytes, "x");
    CHECK(serialize(back) == bytes);
    CHECK(back.names == profile.names);
    CHECK(back.nodes.size() == profile.nodes.size());
    CHECK(back.nodes[3].kind == NodeKind::Mpi);
    CHECK(back.nodes[3].precise);
    CHECK(back.nodes[4].calls == profile.nodes[4].calls);
    CHECK(back.nodes[4].exclusive == ~0ull);
    CHECK(back.exclusive(4).min_rank == -1);
    CHECK(back.exclusive(4).max == ~0ull);
    CHECK(back.config_text == profile.config_text);
    CHECK(back.application == "app0");
    CHECK(back.missing_ranks == profile.missing_ranks);
    CHECK(back.summary.times == profile.summary.times);
    CHECK(back.summary.mpi);
    CHECK(back.summary.hook_calls_out == profile.summary.hook_calls_out);
    CHECK(back.summary.excluded_call_ps == profile.summary.excluded_call_ps);
    CHECK(back.summary.hook_calls_uncertain == profile.summary.hook_calls_uncertain);
    CHECK(back.summary.refused_threads == profile.summary.refused_threads);
    CHECK(back.summary.threads_without_ring == profile.summary.threads_without_ring);
    CHECK(back.summary.cpu_without_samples == profile.summary.cpu_without_samples);
    CHECK(back.hook_calls_stay == profile.hook_calls_stay);
    CHECK(back.summary.messages_lost);
    CHECK(back.summary.short_of_space);
    CHECK(back.threads == profile.threads);
    CHECK(back.thread_totals.started == profile.thread_totals.started);
    REQUIRE(back.durations.size() == profile.durations.size());
    for (std::size_t i = 0; i < back.durations.size(); ++i) {
        CHECK(back.durations[i].node == profile.durations[i].node);
        for (const double share : {0.0, 0.1, 0.5, 0.9, 1.0})
            CHECK(back.durations[i].histogram.quantile(share) == profile.durations[i].histogram.quantile(share));
        CHECK(back.durations[i].histogram.count() == profile.durations[i].histogram.count());
        CHECK(back.durations[i].histogram.sum() == profile.durations[i].histogram.sum());
    }
    CHECK(back.nodes[1].threads == profile.nodes[1].threads);
    CHECK(back.nodes[1].longest_thread == profile.nodes[1].longest_thread);
    for (std::size_t i : {1, 2, 3}) {
        CHECK(back.nodes[i].raw_exclusive == profile.nodes[i].raw_exclusive);
        CHECK(back.nodes[i].raw_inclusive == profile.nodes[i].raw_inclusive);
        CHECK(back.nodes[i].estimated == profile.nodes[i].estimated);
        CHECK(back.nodes[i].unseen == profile.nodes[i].unseen);
        CHECK(back.nodes[i].unseen_error == profile.nodes[i].unseen_error);
        CHECK(back.nodes[i].excluded == profile.nodes[i].excluded);
        CHECK(back.nodes[i].variance == profile.nodes[i].variance);
    }
}

TEST_CASE("what came of expressions follows the rest, and is not there where there is nothing") {
    Profile profile = random_rank(1);
    const std::vector<std::byte> without = serialize(profile);
    CHECK(deserialize(without, "x").expressions.empty());
    profile.expressions = {{"filter.exclude.functions", "^f$", 1, 1}, {"filter.triggers[0] (stop)", "g", 2, 3}};
    const std::vector<std::byte> with = serialize(profile);
    CHECK(std::equal(without.begin(), without.end(), with.begin()));
    CHECK(deserialize(with, "x").expressions == profile.expressions);
    for (std::size_t size = without.size() + 1; size < with.size(); ++size)
        REQUIRE_THROWS_AS(deserialize(std::span(with).first(size), "x"), vftr::vfd::Error);
}

// Issue: the end of a process of 50,000 paths costs at most 20 ms
TEST_CASE("of one rank a call path is as large as what is not implied") {
    const auto bytes_of = [](int paths) {
        Profile profile = one_rank(0);
        profile.names.push_back("f");
        for (int i = 0; i < paths; ++i) {
            PathNode node;
            node.name = 1;
            node.ranks = node.threads = 1;
            node.calls = 1;
            node.exclusive = node.inclusive = node.longest_thread = 100;
            node.raw_exclusive = node.raw_inclusive = 110;
            node.overhead = 30;
            profile.nodes.push_back(node);
        }
        return serialize(profile).size();
    };
    CHECK(bytes_of(100) - bytes_of(0) == 100 * 7);
}

TEST_CASE("an empty profile is bytes too") { CHECK(deserialize(serialize(Profile{}), "x").rank_count == 0); }

TEST_CASE("bytes that are no profile are refused with file and reason") {
    CHECK(reason({}).find("x.vfd") != std::string::npos);
    CHECK(reason({}).find("ends too early") != std::string::npos);
    CHECK(reason({std::byte{1}}).find("does not begin") != std::string::npos);
    std::vector<std::byte> bytes = serialize(random_rank(1));
    bytes.push_back(std::byte{0});
    CHECK(reason(bytes).find("follows its end") != std::string::npos);
    Profile loop = random_rank(1);
    loop.nodes[2].parent = 2;
    CHECK(reason(serialize(loop)).find("precedes its caller") != std::string::npos);
    Profile nameless = random_rank(1);
    nameless.nodes[2].name = 1000;
    CHECK(reason(serialize(nameless)).find("no name") != std::string::npos);
    Profile lost = random_rank(1);
    lost.threads[1].node = 1000;
    CHECK(reason(serialize(lost)).find("a thread was created") != std::string::npos);
}

TEST_CASE("the number that says how many bytes follow is none of them") {
    const std::byte bytes[] = {std::byte{2}, std::byte{'a'}};
    const std::string label = "x";
    vftr::analysis::ByteReader reader(bytes, label);
    CHECK_THROWS_AS(reader.string(), vftr::vfd::Error);
}

TEST_CASE("damaged bytes never do more than throw", "[damaged]") {
    const std::vector<std::byte> whole = serialize(random_rank(1));
    for (std::size_t size = 0; size < whole.size(); ++size)
        REQUIRE_THROWS_AS(deserialize(std::span(whole).first(size), "x"), vftr::vfd::Error);
    std::mt19937 random(5);
    for (int trial = 0; trial < trials(5000); ++trial) {
        std::vector<std::byte> bytes = whole;
        for (unsigned n = 1 + random() % 4; n > 0; --n)
            bytes[random() % bytes.size()] = static_cast<std::byte>(random());
        try {
            Profile profile = deserialize(bytes, "x");
            canonicalise(profile);
            merge(profile, deserialize(whole, "y"));
        } catch (const vftr::vfd::Error&) {
        }
    }
}

// Issue: a file with a valid header and a hole (its sibling: a merged profile with a huge count, whose elements are the
// hole)
TEST_CASE("A merged profile that claims a hole is damage, and takes no memory") {
    for (const std::uint64_t names : {std::uint64_t{200} << 20, ~std::uint64_t{0}}) {
        ByteWriter profile;
        profile.number(0x52505456); // it is a profile
        profile.number(10);         // of this version
        for (int field = 0; field < 37; ++field)
            profile.number(0);
        profile.number(names); // empty ones, each a byte of the hole
        std::vector<std::byte> payload = profile.take();
        CHECK_THROWS_AS(deserialize(payload, "x"), vftr::vfd::Error);

        ImageBuilder process;
        std::vector<std::byte> file;
        vftr::vfd::write_merged_file(process.header, payload, "{}", [&](std::span<const std::byte> bytes) {
            file.insert(file.end(), bytes.begin(), bytes.end());
            return true;
        });
        const std::uint64_t size = std::uint64_t{256} << 20, at = file.size() - 4096;
        auto* segment = reinterpret_cast<vftr::vfd::SegmentHeader*>(file.data() + at);
        REQUIRE(segment->magic == vftr::vfd::SegmentMagic);
        segment->capacity = size - at;
        segment->used = size - at - sizeof *segment;
        auto* header = reinterpret_cast<vftr::vfd::FileHeader*>(file.data());
        header->file_end = size;
        const MemoryFile hole(file);
        REQUIRE(::truncate(hole.path().c_str(), static_cast<off_t>(size)) == 0);
        CHECK_THROWS_WITH(hole.open(), Catch::Contains("more bytes used than the file has on the disk"));
    }
}
