// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/merge/numbering.hpp"
#include "profile_builder.hpp"

#include <catch2/catch.hpp>

#include <map>

using namespace vftr::analysis;
using namespace vftr::test;

namespace {

Profile rank_with(std::int32_t rank, const std::vector<std::string>& paths) {
    Profile profile = one_rank(rank);
    for (const std::string& path : paths)
        add(profile, path, 1, 1, 1);
    return profile;
}

std::map<std::string, std::uint32_t> stids(const Profile& profile) {
    std::map<std::string, std::uint32_t> found;
    for (std::uint32_t i = 0; i < profile.nodes.size(); ++i)
        found[call_path(profile, i)] = profile.stid(i);
    return found;
}

// Of a job of two ranks that have one path in common.
const std::vector<std::string> OfRank0{"b<main<init", "z<b<main<init"}, OfRank1{"a<main<init", "b<main<init"};
Numbering of_job() {
    Profile all = rank_with(0, OfRank0);
    merge(all, rank_with(1, OfRank1));
    canonicalise(all);
    return numbering_of(all);
}

} // namespace

// Issue: STIDs of rank logs differ from those of `_all.log` (the contract says they are global)
TEST_CASE("a rank's paths get the STIDs that they have in the job") {
    Profile rank = rank_with(0, OfRank0);
    canonicalise(rank, of_job());
    CHECK(stids(rank) == std::map<std::string, std::uint32_t>{
                             {"init", 0}, {"main<init", 1}, {"b<main<init", 3}, {"z<b<main<init", 4}});
    CHECK(rank.shared_stids == 5);
    CHECK(std::is_sorted(rank.stids.begin(), rank.stids.end()));
}

TEST_CASE("paths that come later are numbered behind those of the job, which keep their STIDs") {
    Profile all = rank_with(0, {"b<main<init", "z<b<main<init", "a<exit<init"});
    merge(all, rank_with(1, OfRank1));
    canonicalise(all, of_job());
    CHECK(stids(all) == std::map<std::string, std::uint32_t>{{"init", 0},
                                                             {"main<init", 1},
                                                             {"a<main<init", 2},
                                                             {"b<main<init", 3},
                                                             {"z<b<main<init", 4},
                                                             {"exit<init", 5},
                                                             {"a<exit<init", 6}});
    CHECK(all.stids.empty()); // they are the indices, as merged files need it
    for (std::size_t i = 1; i < all.nodes.size(); ++i)
        CHECK(all.nodes[i].parent < i);
}

TEST_CASE("what a profile tells of its paths goes with them when they are numbered otherwise") {
    Profile rank = rank_with(0, {"z<main<init", "a<main<init"});
    add_sent(rank, "z<main<init", 1, {1, 10, 5}, false, true);
    add_thread(rank, 1, "a<main<init", 1, 1);
    Profile earlier = rank_with(0, {"z<main<init"});
    canonicalise(earlier);
    canonicalise(rank, numbering_of(earlier));
    REQUIRE(stids(rank)["a<main<init"] == 3);
    CHECK(call_path(rank, rank.messages.at(0).node) == "z<main<init");
    CHECK(call_path(rank, rank.matrix.at(0).pair.node) == "z<main<init");
    CHECK(call_path(rank, rank.threads.at(0).node) == "a<main<init");
}

TEST_CASE("without a numbering the order is the canonical one, and STIDs are the profile's own") {
    Profile rank = rank_with(0, OfRank0), canonical = rank;
    canonicalise(rank, Numbering{});
    canonicalise(canonical);
    CHECK(stids(rank) == stids(canonical));
    CHECK(rank.shared_stids == 0);
    Profile nothing;
    canonicalise(nothing, of_job());
    CHECK(nothing.nodes.empty());
}

TEST_CASE("merging tells where the paths have gone") {
    Profile all = rank_with(0, OfRank0);
    const std::vector<std::uint32_t> before = merge(all, Profile{});
    CHECK(before.empty());
    const Profile other = rank_with(1, OfRank1);
    const std::vector<std::uint32_t> place = merge(all, other);
    REQUIRE(place.size() == other.nodes.size());
    for (std::uint32_t i = 0; i < place.size(); ++i)
        CHECK(call_path(all, place[i]) == call_path(other, i));
    Profile empty;
    CHECK(merge(empty, Profile(other)) == std::vector<std::uint32_t>{0, 1, 2, 3});
}
