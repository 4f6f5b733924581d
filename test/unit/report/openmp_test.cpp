// SPDX-License-Identifier: BSD-3-Clause
//
// Issue: an OpenMP table in the log: region, calls, threads, time, wait time, imbalance.
#include "log_text.hpp"

#include <catch2/catch.hpp>

using namespace vftr;
using namespace vftr::test;

namespace {

void add_region(analysis::Profile& profile, const std::string& path, std::uint64_t calls,
                const analysis::OpenMpRegion& times) {
    add(profile, path, calls, 0, times.time);
    profile.regions.push_back(times);
    profile.regions.back().node = path_index(profile, path);
}

analysis::Profile two_regions() {
    analysis::Profile profile = one_rank(0);
    add(profile, "init", 1, 0, 500 * Ms);
    add(profile, "solve<init", 1, 100 * Ms, 400 * Ms);
    add_region(profile, "omp parallel solve:7<solve<init", 3, {0, 4, 100 * Ms, 400 * Ms, 100 * Ms, 90 * Ms, 75 * Ms});
    add_region(profile, "omp parallel solve:9<solve<init", 5, {0, 2, 200 * Ms, 0, 0, 50 * Ms, 50 * Ms});
    canonicalise(profile);
    return profile;
}

} // namespace

TEST_CASE("the table of parallel regions, longest first") {
    std::string log = log_of(two_regions(), {});
    CHECK(
        section_of(log, "OpenMP regions") ==
        "+-------+---------+-------------+-----------+---------+--------------+----------------------+--------+------+\n"
        "| Calls | Threads | t_region[s] | t_wait[s] | wait[%] | Imbalance[%] |        Region        | Caller | STID |\n"
        "+-------+---------+-------------+-----------+---------+--------------+----------------------+--------+------+\n"
        "|     5 |       2 |       0.200 |     0.000 |    ---- |         0.00 | omp parallel solve:9 |  solve |    3 |\n"
        "|     3 |       4 |       0.100 |     0.100 |    25.0 |        20.00 | omp parallel solve:7 |  solve |    2 |\n"
        "+-------+---------+-------------+-----------+---------+--------------+----------------------+--------+------+\n"
        "t_region[s]: from begin to end (t_incl is of all threads); t_wait[s]: of all threads of the teams; wait[%]: of t_region times the threads\n");
    CHECK(section_of(log, "Global call stacks:").find("STID2   omp parallel solve:7<solve<init\n") != log.npos);
}

TEST_CASE("the rest of the regions is summed up, in the order that is asked for") {
    config::Config config;
    config.openmp_max_rows = 1;
    config.openmp_sort_table_column = GENERATE("imbalance", "wait", "threads");
    std::string table = section_of(log_of(two_regions(), config), "OpenMP regions");
    CHECK(table.find("solve:7") != table.npos);
    CHECK(table.find("solve:9") == table.npos);
    CHECK(
        table.find(
            "|     5 |       2 |        ---- |     0.000 |    ---- |         ---- |             (1 more) |   ---- | ---- |\n") !=
        table.npos);
    config.openmp_sort_table_column = "calls";
    table = section_of(log_of(two_regions(), config), "OpenMP regions");
    CHECK(table.find("solve:9") != table.npos);
}

TEST_CASE("there is no table where there are no regions, or where it is not wanted") {
    config::Config config;
    CHECK(section_of(log_of(three_ranks(), config), "OpenMP regions").empty());
    config.openmp_show_table = false;
    CHECK(section_of(log_of(two_regions(), config), "OpenMP regions").empty());
}
