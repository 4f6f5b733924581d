// SPDX-License-Identifier: BSD-3-Clause
#include "log_text.hpp"

#include <catch2/catch.hpp>

using namespace vftr;
using namespace vftr::test;
using Cells = std::vector<std::string>;

namespace {

// The first thread starts three, on one path; thread i works i × 100 ms.
analysis::Profile four_threads(std::int32_t rank = 0) {
    analysis::Profile profile = one_rank(rank);
    add(profile, "init", 4, 0, 900 * Ms);
    add(profile, "main<init", 1, 300 * Ms, 300 * Ms);
    add(profile, "start<main<init", 1, 0, 0);
    add(profile, "work<init", 3, 600 * Ms, 600 * Ms);
    profile.nodes[path_index(profile, "work<init")].threads = 3;
    profile.nodes[path_index(profile, "work<init")].longest_thread = 300 * Ms;
    add_thread(profile, 0, "", 300 * Ms, 300 * Ms).function = "main";
    for (std::uint32_t i = 1; i < 4; ++i) {
        analysis::ThreadRow& row = add_thread(profile, i, "start<main<init", i * 100 * Ms, i * 110 * Ms);
        row.function = "work";
        row.begin = i * Ms;
        row.calls = 7;
        profile.thread_totals.started.calls += 7;
    }
    canonicalise(profile);
    return profile;
}

} // namespace

TEST_CASE("the table of threads tells CPU time and the wait for a core where they are known") {
    analysis::Profile profile = four_threads();
    profile.threads[1].cpu = profile.thread_totals.started.cpu = 90 * Ms;
    profile.threads[1].waiting = profile.thread_totals.started.waiting = 20 * Ms;
    const std::string table = section_of(log_of(profile, {}), "Threads");
    CHECK(column(table, 6) == Cells{"0.000", "0.090", "0.000", "0.000"});
    CHECK(column(table, 7) == Cells{"0.000", "0.020", "0.000", "0.000"});
}

TEST_CASE("the table of threads") {
    std::string log = log_of(four_threads(), {});
    CHECK(
        section_of(log, "Threads") ==
        "+--------+-----+------------+----------------+----------+---------+-----------+-------+------+\n"
        "| Thread | TID | Started by | Start function | Begin[s] | Life[s] | t_func[s] | Calls | STID |\n"
        "+--------+-----+------------+----------------+----------+---------+-----------+-------+------+\n"
        "|      0 | 100 |       ---- |           main |    0.000 |   0.300 |     0.300 |     0 | ---- |\n"
        "|      1 | 101 |          0 |           work |    0.001 |   0.110 |     0.100 |     7 |    3 |\n"
        "|      2 | 102 |          0 |           work |    0.002 |   0.220 |     0.200 |     7 |    3 |\n"
        "|      3 | 103 |          0 |           work |    0.003 |   0.330 |     0.300 |     7 |    3 |\n"
        "+--------+-----+------------+----------------+----------+---------+-----------+-------+------+\n"
        "4 threads, 3 of them started by others; t_func of these: longest 0.300 s (thread 3), average 0.200 s, imbalance 50.00 %\n");
    CHECK(section_of(log, "Global call stacks:").find("STID3   start<main<init\n") != log.npos);
}

TEST_CASE("there is no table of threads where no process had several, or where it is not wanted") {
    analysis::Profile all = one_rank(0), other = one_rank(1);
    add_thread(all, 0, "", 5, 9);
    add_thread(other, 0, "", 5, 9);
    merge(all, other);
    CHECK(section_of(log_of(all, {}), "Threads").empty());
    config::Config config;
    config.threads_show_table = false;
    CHECK(section_of(log_of(four_threads(), config), "Threads").empty());
}

TEST_CASE("threads beyond max_rows are summed in one last row: those with the least time") {
    config::Config config;
    config.threads_max_rows = 2;
    std::string table = section_of(log_of(four_threads(), config), "Threads");
    CHECK(column(table, 0) == Cells{"0", "3", "----"});
    CHECK(column(table, 3) == Cells{"main", "work", "(2 more)"});
    CHECK(column(table, 5) == Cells{"0.300", "0.330", "0.330"});
    CHECK(column(table, 6) == Cells{"0.300", "0.300", "0.300"});
    CHECK(column(table, 7) == Cells{"0", "7", "14"});
    CHECK(table.find("average 0.200 s, imbalance 50.00 %") != table.npos);
}

TEST_CASE("the threads of several ranks, of several processes, and of records that several threads used") {
    analysis::Profile all = four_threads(), other = four_threads(1);
    other.threads[2].threads = 12;
    other.thread_totals.started.threads += 11;
    merge(all, other);
    analysis::Profile child = one_rank(1);
    add_thread(child, 0, "", 5 * Ms, 9 * Ms).id.process = 777;
    add_process(all, child);
    canonicalise(all);
    std::string table = section_of(log_of(all, {}), "Threads");
    CHECK(column(table, 0) == Cells{"0", "0", "0", "0", "1", "1", "1", "1", "1"});
    CHECK(column(table, 1) == Cells{"100", "100", "100", "100", "101", "101", "101", "101", "777"});
    CHECK(column(table, 2) == Cells{"0", "1", "2", "3", "0", "1", "2", "3", "0"});
    CHECK(column(table, 3) == Cells{"1", "1", "1", "1", "1", "1", "12", "1", "1"});
    CHECK(column(table, 4)[6] == "----");
    CHECK(table.find("Rows of several threads: these ran one after the other") != table.npos);
    CHECK(
        table.find(
            "\n20 threads, 17 of them started by others; t_func of these by row: longest 0.300 s (thread 3 of rank 0)") !=
        table.npos);
}

TEST_CASE("the runtime profile tells the imbalance over threads if it is asked to") {
    config::Config config;
    config.profile_table_show_thread_imbalances = true;
    config.profile_table_max_rows = 1;
    CHECK(section_of(log_of(four_threads(), config), "Runtime profile") ==
          "+-------+-----------+-----------+-----------+---------+----------------+----------+--------+------+\n"
          "| Calls | t_excl[s] | t_excl[%] | t_incl[s] | Threads | Thread imb.[%] | Function | Caller | STID |\n"
          "+-------+-----------+-----------+-----------+---------+----------------+----------+--------+------+\n"
          "|     3 |     0.600 |      66.7 |     0.600 |       3 |          50.00 |     work |   init |    2 |\n"
          "|     6 |     0.300 |      33.3 |      ---- |    ---- |           ---- | (3 more) |   ---- | ---- |\n"
          "+-------+-----------+-----------+-----------+---------+----------------+----------+--------+------+\n"
          "Thread imb.[%]: of t_excl, between the threads that have the call path\n");
}
