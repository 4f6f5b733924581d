// SPDX-License-Identifier: BSD-3-Clause
#include "log_text.hpp"

#include <catch2/catch.hpp>

using namespace vftr;
using namespace vftr::test;
using analysis::Activity;

namespace {

constexpr const char* Title = "Where the time went (all threads)";

void set(analysis::Profile& profile, Activity activity, std::uint64_t ms) {
    profile.breakdown.times[static_cast<std::size_t>(activity)] = analysis::of_one_rank(ms * Ms, profile.first_rank);
}

// Rank 0 computes 600 ms and waits 400 for rank 1 in a collective call, which computes 1000 ms and loses 3 ms to the
// hooks.
analysis::Profile two_ranks() {
    analysis::Profile all;
    for (std::int32_t rank = 0; rank < 2; ++rank) {
        analysis::Profile one = one_rank(rank);
        set(one, Activity::Computation, rank == 0 ? 600 : 1000);
        set(one, Activity::Collective, rank == 0 ? 400 : 0);
        set(one, Activity::Overhead, rank == 0 ? 0 : 3);
        one.breakdown.outside_mpi = one.breakdown.of(Activity::Computation);
        one.breakdown.longest = 1000 * Ms;
        merge(all, one);
    }
    canonicalise(all);
    return all;
}

} // namespace

TEST_CASE("the log says where the time went, per rank, and how efficient the ranks were") {
    const std::string log = log_of(two_ranks(), {});
    CHECK(
        section_of(log, Title) ==
        "+---------------------+---------+---------+----------+---------+----------+----------+---------+\n"
        "|      Activity       | time[s] | time[%] | t_min[s] | on rank | t_avg[s] | t_max[s] | on rank |\n"
        "+---------------------+---------+---------+----------+---------+----------+----------+---------+\n"
        "|         computation |   1.600 |    79.9 |    0.600 |       0 |    0.800 |    1.000 |       1 |\n"
        "|     MPI collectives |   0.400 |    20.0 |    0.000 |       1 |    0.200 |    0.400 |       0 |\n"
        "| overhead of vftrace |   0.003 |     0.1 |    0.000 |       0 |    0.002 |    0.003 |       1 |\n"
        "+---------------------+---------+---------+----------+---------+----------+----------+---------+\n"
        "MPI collectives: with the waits for those that come late; mpi.show_sync_time tells them apart, vftr waits for all of MPI\n"
        "Parallel efficiency 80.0 % = load balance 80.0 %, communication efficiency 100.0 % (product; POP metrics)\n");
    CHECK(log.find(Title) < log.find("\nRuntime profile\n"));
    config::Config config;
    config.breakdown_show_table = false;
    CHECK(log_of(two_ranks(), config).find(Title) == std::string::npos);
}

TEST_CASE("the efficiency of OpenMP's threads is told where there are several") {
    analysis::Profile profile = two_ranks();
    profile.breakdown.team = 2 * profile.breakdown.outside_mpi.sum;
    profile.breakdown.worked = profile.breakdown.outside_mpi.sum;
    CHECK(
        section_of(log_of(profile, {}), Title)
            .find(
                "Parallel efficiency 40.0 % = load balance 80.0 %, communication efficiency 100.0 %, OpenMP efficiency 50.0 %") !=
        std::string::npos);
    // Of a tree of processes that with workers may be shorter than another one.
    profile.breakdown.team = profile.breakdown.outside_mpi.sum / 2;
    profile.breakdown.worked = profile.breakdown.team / 2;
    CHECK(section_of(log_of(profile, {}), Title).find("OpenMP efficiency 50.0 %") != std::string::npos);
    analysis::Profile alone = one_rank(0);
    set(alone, Activity::Computation, 100);
    set(alone, Activity::OpenMpWait, 100);
    alone.breakdown.outside_mpi = alone.breakdown.of(Activity::Computation);
    alone.breakdown.team = 200 * Ms;
    alone.breakdown.worked = 100 * Ms;
    CHECK(section_of(log_of(alone, {}), Title)
              .find("Parallel efficiency 50.0 % (OpenMP efficiency 50.0 %; POP metrics)") != std::string::npos);
}

TEST_CASE("of one thread without MPI the log says where the time went only if its head does not") {
    analysis::Profile profile = one_rank(0);
    set(profile, Activity::Computation, 900);
    set(profile, Activity::Overhead, 50);
    set(profile, Activity::NoCore, 50);
    CHECK(section_of(log_of(profile, {}), Title).empty());
    set(profile, Activity::Blocked, 100);
    CHECK(section_of(log_of(profile, {}), Title).find("| blocked (I/O, lock, sleep) |   0.100 |     9.1 |") !=
          std::string::npos);
}
