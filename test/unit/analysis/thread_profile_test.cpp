// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/profile/profile.hpp"
#include "profile_builder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace vftr::analysis;
using namespace vftr::test;

namespace {

// A rank whose threads 1 to `count` were each a random time in functions.
Profile rank_with_threads(std::int32_t rank, std::uint32_t count, std::mt19937& random) {
    Profile profile = one_rank(rank);
    add(profile, "main<init", 1, Ms, Ms);
    add(profile, "f<main<init", 1, Ms, Ms);
    for (std::uint32_t index = 1; index <= count; ++index)
        add_thread(profile, index, index % 2 ? "f<main<init" : "main<init", random() % 500, 1000);
    return profile;
}

} // namespace

TEST_CASE("of a job's threads those that were longest in functions have a row, and the sums are of all") {
    std::mt19937 random(1);
    std::vector<Profile> ranks;
    std::vector<ThreadRow> every;
    std::uint64_t sum = 0;
    for (std::int32_t rank = 0; rank < 40; ++rank) {
        ranks.push_back(rank_with_threads(rank, 60, random));
        for (const ThreadRow& row : ranks.back().threads) {
            every.push_back(row);
            sum += row.in_functions;
        }
    }
    std::stable_sort(every.begin(), every.end(),
                     [](const ThreadRow& a, const ThreadRow& b) { return a.in_functions > b.in_functions; });
    every.resize(LongestThreads);
    std::shuffle(ranks.begin(), ranks.end(), random);
    Profile all;
    for (const Profile& rank : ranks)
        merge(all, rank);
    canonicalise(all);
    REQUIRE(all.threads.size() == LongestThreads);
    CHECK(std::is_sorted(all.threads.begin(), all.threads.end()));
    auto has_row = [&](const ThreadRow& row) {
        return std::any_of(all.threads.begin(), all.threads.end(),
                           [&](const ThreadRow& other) { return other.id == row.id; });
    };
    CHECK(std::all_of(every.begin(), every.end(), has_row));
    CHECK(all.thread_totals.started.records == 2400);
    CHECK(all.thread_totals.started.in_functions == sum);
    CHECK(all.thread_totals.started.longest == every.front().in_functions);
    CHECK(all.thread_totals.started.longest_id == every.front().id);
    CHECK(all.thread_totals.first.records == 0);
}

TEST_CASE("the path that created a thread stays that path when profiles are merged and sorted") {
    Profile all = one_rank(0);
    add(all, "z<init", 1, Ms, Ms);
    add(all, "pool<z<init", 1, Ms, Ms);
    add_thread(all, 1, "pool<z<init", 5, 9);
    Profile other = one_rank(1);
    add(other, "a<init", 1, Ms, Ms);
    add_thread(other, 1, "a<init", 5, 9);
    add_thread(other, 2, "", 5, 9);
    merge(all, other);
    canonicalise(all);
    REQUIRE(all.threads.size() == 3);
    CHECK(call_path(all, all.threads[0].node) == "pool<z<init");
    CHECK(call_path(all, all.threads[1].node) == "a<init");
    CHECK(all.threads[2].node == vftr::vfd::NoNode);
}

TEST_CASE("the threads of a rank's processes are all threads of it") {
    Profile parent = one_rank(0), child = one_rank(0);
    add_thread(parent, 0, "", 5, 9);
    add_thread(child, 0, "", 7, 9).id.process = 200;
    add_process(parent, child);
    canonicalise(parent);
    REQUIRE(parent.threads.size() == 2);
    CHECK(parent.threads[1].id.process == 200);
    CHECK(parent.thread_totals.first.records == 2);
}

TEST_CASE("the imbalance over threads is that of all ranks' threads which have the path") {
    Profile all = one_rank(0), other = one_rank(1), third = one_rank(2);
    add(all, "f<init", 2, 30, 30);
    all.nodes[1].threads = 2;
    all.nodes[1].longest_thread = 20;
    add(other, "f<init", 1, 60, 60);
    other.nodes[1].threads = 1;
    other.nodes[1].longest_thread = 60;
    merge(all, other);
    merge(all, third);
    CHECK(at(all, "f<init").threads == 3);
    CHECK(at(all, "f<init").longest_thread == 60);
    CHECK(thread_imbalance(at(all, "f<init")) == Approx(100));
    CHECK(thread_imbalance(PathNode{}) == 0);
}
