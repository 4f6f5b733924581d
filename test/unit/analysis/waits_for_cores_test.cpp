// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/profile/waits_for_cores.hpp"
#include "profile_builder.hpp"

#include <array>
#include <catch2/catch.hpp>

using namespace vftr::analysis;
using namespace vftr::test;

namespace {

// Three ranks of a second each, which were without a core and in MPI for so many milliseconds.
Profile three(const std::array<std::uint64_t, 3>& without, const std::array<std::uint64_t, 3>& in_mpi) {
    Profile all;
    for (std::int32_t rank = 0; rank < 3; ++rank) {
        const auto at = static_cast<std::size_t>(rank);
        Profile one = one_rank(rank);
        one.breakdown.times.fill(of_one_rank(0, rank));
        one.breakdown.add(Activity::Computation, (1000 - without[at] - in_mpi[at]) * Ms);
        one.breakdown.add(Activity::NoCore, without[at] * Ms);
        one.breakdown.add(Activity::Collective, in_mpi[at] * Ms);
        one.breakdown.outside_mpi = of_one_rank((1000 - without[at] - in_mpi[at]) * Ms, rank);
        one.breakdown.longest = (1000 - without[at]) * Ms;
        one.summary.cpu = (1000 - without[at]) * Ms;
        merge(all, one);
    }
    return all;
}

} // namespace

// Issue: peers' waits for a core land in MPI functions, marked exact; say in the log what of MPI's time is at most owed
// to that.
TEST_CASE("ranks have waited in MPI no longer for others than these had no core", "[analysis][waits_for_cores]") {
    // Rank 0 had no core for 100 ms, rank 1 for 40, and all three were much longer in MPI.
    const WaitsForCores waits = waits_for_cores(three({100, 40, 0}, {300, 300, 400}));
    CHECK(waits.matter);
    CHECK(waits.mpi == 1000 * Ms);
    CHECK(waits.at_most == (40 + 100 + 140) * Ms);
    CHECK(waits.together == (0 + 60 + 100) * Ms);
    // The longest rank took 1000 ms, of which it may have waited 140.
    CHECK(waits.communication_efficiency == Approx(660.0 / 860));
}

TEST_CASE("all of MPI's time is the most that it can be", "[analysis][waits_for_cores]") {
    const WaitsForCores waits = waits_for_cores(three({300, 0, 0}, {10, 110, 130}));
    CHECK(waits.at_most == 250 * Ms);
    CHECK(waits.together == 250 * Ms);
    CHECK(waits.communication_efficiency == Approx(1));
}

TEST_CASE("a rank that is off the processor in MPI may be late itself", "[analysis][waits_for_cores]") {
    Profile profile = three({100, 40, 0}, {300, 300, 400});
    profile.summary.cpu -= 20 * Ms;
    CHECK(waits_for_cores(profile).at_most == (280 + 3 * 20) * Ms);
    CHECK(waits_for_cores(profile).together == 160 * Ms);
    profile.summary.cpu = 0; // not known
    CHECK(waits_for_cores(profile).at_most == 280 * Ms);
}

TEST_CASE("waits for cores do not matter where hardly any rank had to wait, or none is in MPI",
          "[analysis][waits_for_cores]") {
    CHECK_FALSE(waits_for_cores(three({5, 5, 5}, {300, 300, 400})).matter);
    CHECK_FALSE(waits_for_cores(three({500, 0, 0}, {0, 0, 0})).matter);
    CHECK(waits_for_cores(three({30, 0, 0}, {300, 300, 400})).matter);
    CHECK_FALSE(waits_for_cores(one_rank(0)).matter);
}
