// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/merge/remainder.hpp"
#include "analysis/merge/serialize.hpp"
#include "profile_builder.hpp"

#include "../vfd/image_builder.hpp"

#include <catch2/catch.hpp>

using namespace vftr;
using namespace vftr::analysis;
using namespace vftr::test;

namespace {

// What a rank has recorded up to MPI_Finalize, and at its end.
Profile until_finalize(std::int32_t rank) {
    Profile profile = one_rank(rank);
    add(profile, "main<init", 1, 100, 100);
    profile.summary.times = {{100}, rank};
    profile.breakdown.add(Activity::Computation, 100);
    return profile;
}
Profile until_end(std::int32_t rank, std::uint64_t after) {
    Profile profile = one_rank(rank);
    add(profile, "end<init", 2, after, after);
    add(profile, "main<init", 1, 110, 110);
    profile.summary.times = {{110 + after, 0, 0, 3, 0}, rank};
    profile.breakdown.add(Activity::Computation, 110 + after);
    return profile;
}
Profile remainder_of_rank(std::int32_t rank, std::uint64_t after) {
    auto part = remainder(until_end(rank, after), until_finalize(rank));
    REQUIRE(part);
    return *part;
}

} // namespace

// Issue: calls after MPI_Finalize of ranks other than 0 are in no table.
TEST_CASE("what ranks did after the collation comes to what was collated of them", "[analysis][remainder]") {
    Profile job = until_finalize(0);
    for (std::int32_t rank : {1, 2, 3})
        merge(job, until_finalize(rank));
    Profile remainders = remainder_of_rank(3, 7);
    merge(remainders, remainder_of_rank(1, 5));
    CHECK(may_lack_remainder(job, 1));
    job.running_ranks = {1, 2};
    add_remainders(job, remainders);
    CHECK(at(job, "end<init").calls == 4);
    CHECK(at(job, "end<init").ranks == 2);
    CHECK(at(job, "end<init").exclusive == 12);
    CHECK(exclusive_at(job, "end<init").min == 0);
    CHECK(exclusive_at(job, "end<init").max == 7);
    CHECK(exclusive_at(job, "end<init").max_rank == 3);
    CHECK(at(job, "main<init").calls == 4);
    CHECK(at(job, "main<init").ranks == 4);
    CHECK(at(job, "main<init").exclusive == 420);
    CHECK(exclusive_at(job, "main<init").max == 110);
    CHECK(exclusive_at(job, "main<init").max_rank == 1);
    CHECK(job.summary.times.sum == RankTimes{400 + 15 + 17, 0, 0, 6, 0});
    CHECK(job.summary.times.longest == 117);
    CHECK(job.summary.runtime_sum == 432);
    CHECK(job.breakdown.sum() == 432);
    CHECK(job.whole_ranks == RankList{1, 3});
    CHECK(job.running_ranks == RankList{2});
    CHECK_FALSE(may_lack_remainder(job, 1));
    CHECK(may_lack_remainder(job, 2));
}

TEST_CASE("what all ranks did after the collation has their smallest time, too", "[analysis][remainder]") {
    Profile job = until_finalize(1), remainders = remainder_of_rank(1, 5);
    merge(job, until_finalize(2));
    merge(remainders, remainder_of_rank(2, 4));
    add_remainders(job, remainders);
    CHECK(at(job, "end<init").ranks == 2);
    CHECK(exclusive_at(job, "end<init").min == 4);
    CHECK(exclusive_at(job, "end<init").min_rank == 2);
}

TEST_CASE("the one rank that a profile covers has the times of its paths", "[analysis][remainder]") {
    Profile job = until_finalize(1);
    add_remainders(job, remainder_of_rank(1, 5));
    CHECK(job.extremes.empty());
    CHECK(exclusive_at(job, "main<init").min == 110);
    CHECK(deserialize(serialize(job), "job").whole_ranks == RankList{1});
}

TEST_CASE("there is no remainder where the paths have other names than before", "[analysis][remainder]") {
    Profile before = until_finalize(1);
    add(before, "a.out+0x10<main<init", 1, 1, 1);
    CHECK_FALSE(remainder(until_end(1, 5), before));
}

TEST_CASE("the remainder of a recording is what the profile in it lacks", "[analysis][remainder]") {
    ImageBuilder builder;
    vfd::Node main = ImageBuilder::function(0, 0x10);
    main.calls = 5;
    builder.thread(0, {ImageBuilder::root(), main}).name(0x10, "main");
    Profile before = one_rank(0);
    add(before, "main<init", 3, 0, 0);
    const std::vector<std::byte> bytes = serialize(before);
    builder.segment(vfd::SegmentKind::Profile, 0, 0, bytes);
    CHECK_FALSE(remainder_of(builder.open()));
    builder.header.flags |= vfd::FlagCollated;
    const auto part = remainder_of(builder.open());
    REQUIRE(part);
    CHECK(at(*part, "main<init").calls == 2);
    CHECK(at(*part, "main<init").ranks == 0);
}

TEST_CASE("a rank is taken out of a list of ranks", "[analysis][remainder]") {
    RankList ranks{1, 2, 3, 5};
    CHECK(ranks.contains(2));
    ranks.remove(2);
    ranks.remove(4);
    ranks.remove(5);
    CHECK(ranks == RankList{1, 3});
    CHECK_FALSE(ranks.contains(2));
}
