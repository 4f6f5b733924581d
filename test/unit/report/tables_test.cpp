// SPDX-License-Identifier: BSD-3-Clause
#include "log_text.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace vftr;
using namespace vftr::test;
using Cells = std::vector<std::string>;

TEST_CASE("the runtime profile") {
    CHECK(section_of(log_of(three_ranks(), {}), "Runtime profile") ==
          "+-------+-----------+-----------+-----------+----------+--------+------+\n"
          "| Calls | t_excl[s] | t_excl[%] | t_incl[s] | Function | Caller | STID |\n"
          "+-------+-----------+-----------+-----------+----------+--------+------+\n"
          "|    30 |     0.600 |      73.2 |     0.640 |        f |   main |    2 |\n"
          "|     3 |     0.180 |      22.0 |     0.820 |     main |   init |    1 |\n"
          "|     5 |     0.040 |       4.9 |     0.040 |        g |      f |    3 | *\n"
          "|     3 |     0.000 |       0.0 |     0.820 |     init |   ---- |    0 |\n"
          "+-------+-----------+-----------+-----------+----------+--------+------+\n"
          "* not called on every rank; where it was not, its time counts as 0\n");
}

TEST_CASE("the runtime profile with every column") {
    config::Config config;
    config.profile_table_show_overhead = true;
    config.profile_table_show_calltime_imbalances = true;
    config.profile_table_show_callpath = true;
    analysis::Profile profile = three_ranks();
    for (analysis::PathNode& node : profile.nodes) {
        node.raw_exclusive = node.exclusive.sum;
        node.raw_inclusive = node.inclusive.sum + 7 * Ms;
    }
    profile.nodes[2].overhead = 7 * Ms;
    profile.nodes[2].raw_exclusive += 2 * Ms;
    profile.nodes[1].raw_exclusive += 5 * Ms;
    // clang-format off
    CHECK(section_of(log_of(profile, config), "Runtime profile") ==
          "+-------+-----------+-----------+-----------+-------------+---------------+---------------+---------------+---------+----------+--------+------+---------------+\n"
          "| Calls | t_excl[s] | t_excl[%] | t_incl[s] | overhead[s] | raw t_excl[s] | raw t_incl[s] | Imbalances[%] | on rank | Function | Caller | STID |   Callpath    |\n"
          "+-------+-----------+-----------+-----------+-------------+---------------+---------------+---------------+---------+----------+--------+------+---------------+\n"
          "|    30 |     0.600 |      73.2 |     0.640 |       0.007 |         0.602 |         0.647 |         50.00 |       1 |        f |   main |    2 |   f<main<init |\n"
          "|     3 |     0.180 |      22.0 |     0.820 |       0.000 |         0.185 |         0.827 |          0.00 |       0 |     main |   init |    1 |     main<init |\n"
          "|     5 |     0.040 |       4.9 |     0.040 |       0.000 |         0.040 |         0.047 |        200.00 |       0 |        g |      f |    3 | g<f<main<init | *\n"
          "|     3 |     0.000 |       0.0 |     0.820 |       0.000 |         0.000 |         0.827 |          0.00 |       0 |     init |   ---- |    0 |          init |\n"
          "+-------+-----------+-----------+-----------+-------------+---------------+---------------+---------------+---------+----------+--------+------+---------------+\n"
          "* not called on every rank; where it was not, its time counts as 0\n");
    // clang-format on
}

// Issue: `±[%]` is the last column, so that columns do not move from run to run.
// Issue: the table marks estimated rows and their confidence.
TEST_CASE("the runtime profile where calls were counted only") {
    config::Config config;
    config.profile_table_max_rows = 3;
    config.name_grouped_profile_table_show_table = true;
    analysis::Profile profile = three_ranks();
    profile.nodes[3].estimated = 4;
    profile.nodes[3].variance = profile.nodes[2].variance = 160000; // 0.4 ms of 40 and of 600
    const std::string log = log_of(profile, config);
    CHECK(section_of(log, "Runtime profile") ==
          "+-------+-----------+-----------+-----------+----------+--------+------+------+\n"
          "| Calls | t_excl[s] | t_excl[%] | t_incl[s] | Function | Caller | STID | ±[%] |\n"
          "+-------+-----------+-----------+-----------+----------+--------+------+------+\n"
          "|    30 |     0.600 |      73.2 |     0.640 |        f |   main |    2 |  0.1 |\n"
          "|     3 |     0.180 |      22.0 |     0.820 |     main |   init |    1 | ---- |\n"
          "|     5 |     0.040 |       4.9 |     0.040 |        g |      f |    3 |  2.0 | *\n"
          "|     3 |     0.000 |       0.0 |      ---- | (1 more) |   ---- | ---- | ---- |\n"
          "+-------+-----------+-----------+-----------+----------+--------+------+------+\n"
          "* not called on every rank; where it was not, its time counts as 0\n"
          "±[%]: t_excl is an estimate, that near with a confidence of 95 %, in percent of it; ----: it is exact; >999.9: it is small, more is not known\n");
    CHECK(column(section_of(log, "Runtime profile (Grouped by function name)"), 6) == Cells{"0.1", "----", "2.0", "----"});
    CHECK(log.find("Note: 4 of 41 calls were counted and not timed") != log.npos);
    config.profile_table_show_minmax_summary = true;
    CHECK(column(section_of(log_of(profile, config), " Summary: Min/Max runtime across all ranks"), 7) == Cells{"0.1", "----", "2.0", "----"});
    profile.nodes[0].variance = 1;
    profile.nodes[3].variance = ~std::uint64_t{0};
    config.profile_table_max_rows = 0;
    CHECK(column(section_of(log_of(profile, config), "Runtime profile"), 7) == Cells{"0.1", "----", ">999.9", ">999.9"});
}

TEST_CASE("functions that were excluded while the program ran are listed with their calls") {
    analysis::Profile profile = three_ranks();
    const std::string title = "Functions excluded while the program ran";
    CHECK(log_of(profile, {}).find(title) == std::string::npos);
    profile.nodes[2].excluded = profile.nodes[3].excluded = true;
    CHECK(section_of(log_of(profile, {}), title) ==
          "+-------+-----------+----------+\n"
          "| Calls | t_excl[s] | Function |\n"
          "+-------+-----------+----------+\n"
          "|    30 |     0.600 |        f |\n"
          "|     5 |     0.040 |        g |\n"
          "+-------+-----------+----------+\n"
          "Calls and times are those until then; later calls are not counted, and their time is their callers'\n");
    config::Config config;
    config.profile_table_max_rows = 1;
    CHECK(column(section_of(log_of(profile, config), title), 2) == Cells{"f", "(1 more)"});
}

TEST_CASE("the log says what became of the hook calls of excluded functions") {
    analysis::Profile profile = three_ranks();
    CHECK(log_of(profile, {}).find("hook call") == std::string::npos);
    profile.summary.hook_calls_out = 12;
    profile.hook_calls_stay = "this is Valgrind";
    const std::string log = log_of(profile, {});
    CHECK(log.find("Note: 12 hook calls of excluded functions were taken out of the running program.\n") != log.npos);
    CHECK(log.find("Note: hook calls of excluded functions stayed in the running program, and what they cost is in the times of the callers: this is Valgrind.\n") != log.npos);
    profile.summary.hook_calls_uncertain = 5;
    CHECK(log_of(profile, {}).find("taken out of the running program; of 5 others in that text it is not certain which function they are for: they stay") != log.npos);
    profile.summary.hook_calls_out = 0;
    CHECK(log_of(profile, {}).find("Note: no hook call of an excluded function was taken out of the running program; of 5 others") != log.npos);
}

TEST_CASE("the log says how uncertain the application time is where hooks took much of the time") {
    analysis::Profile profile = three_ranks();
    profile.summary.runtime = 3'000'000'000;
    profile.summary.hook_overhead = 200'000'000;
    profile.summary.mpi_overhead = 99'000'000;
    CHECK(log_of(profile, {}).find("may be off") == std::string::npos);
    profile.summary.hook_overhead = 800'000'000;
    CHECK(log_of(profile, {}).find("about a third: the application time may be off by 0.30 s.\n") != std::string::npos);
    CHECK(log_of(profile, {}).find("not inlined") == std::string::npos);
    profile.summary.hook_overhead = 1'001'000'000;
    CHECK(log_of(profile, {}).find("Note: functions as small as those called most here are not inlined where they have hooks: without (vftr flags, vftr filter suggest) "
                                   "the program may take much less than the application time.\n") != std::string::npos);
}

TEST_CASE("the runtime profile is sorted by every column, both ways") {
    analysis::Profile profile = three_ranks();
    profile.nodes[3].overhead = 3;
    profile.nodes[1].overhead = 2;
    struct {
        const char* column;
        Cells descending, ascending;
    } const cases[] = {
        {"time_excl", {"2", "1", "3", "0"}, {"0", "3", "1", "2"}},
        {"time_incl", {"0", "1", "2", "3"}, {"3", "2", "0", "1"}},
        {"calls", {"2", "3", "0", "1"}, {"0", "1", "3", "2"}},
        {"stack_id", {"3", "2", "1", "0"}, {"0", "1", "2", "3"}},
        {"overhead", {"3", "1", "0", "2"}, {"0", "2", "1", "3"}},
        {"none", {"0", "1", "2", "3"}, {"0", "1", "2", "3"}},
    };
    for (const auto& c : cases) {
        INFO(c.column);
        config::Config config;
        config.profile_table_sort_table_column = c.column;
        config.profile_table_sort_table_ascending = false;
        CHECK(column(section_of(log_of(profile, config), "Runtime profile"), 6) == c.descending);
        config.profile_table_sort_table_ascending = true;
        CHECK(column(section_of(log_of(profile, config), "Runtime profile"), 6) == c.ascending);
    }
}

TEST_CASE("rows beyond max_rows are summed in one last row") {
    config::Config config;
    config.profile_table_max_rows = 2;
    config.profile_table_show_minmax_summary = true;
    std::string log = log_of(three_ranks(), config);
    CHECK(section_of(log, "Runtime profile") ==
          "+-------+-----------+-----------+-----------+----------+--------+------+\n"
          "| Calls | t_excl[s] | t_excl[%] | t_incl[s] | Function | Caller | STID |\n"
          "+-------+-----------+-----------+-----------+----------+--------+------+\n"
          "|    30 |     0.600 |      73.2 |     0.640 |        f |   main |    2 |\n"
          "|     3 |     0.180 |      22.0 |     0.820 |     main |   init |    1 |\n"
          "|     8 |     0.040 |       4.9 |      ---- | (2 more) |   ---- | ---- |\n"
          "+-------+-----------+-----------+-----------+----------+--------+------+\n");
    CHECK(section_of(log, " Summary: Min/Max runtime across all ranks").find("(2 more)") != log.npos);
    CHECK(section_of(log, "Global call stacks:") ==
          "-------------------------------------------------------\n"
          "    STID   Call stack\n"
          "   STID1   main<init\n"
          "   STID2   f<main<init\n");
    config.profile_table_max_rows = 0;
    CHECK(column(section_of(log_of(three_ranks(), config), "Runtime profile"), 6).size() == 4);
}

TEST_CASE("the summary of minimum and maximum across ranks") {
    config::Config config;
    config.profile_table_show_minmax_summary = true;
    CHECK(section_of(log_of(three_ranks(), config), " Summary: Min/Max runtime across all ranks") ==
          "+------+----------+----------+------+----------+------+----------+\n"
          "| STID | Function | t_max[s] | rank | t_min[s] | rank | t_avg[s] |\n"
          "+------+----------+----------+------+----------+------+----------+\n"
          "|    2 |        f |    0.300 |    1 |    0.100 |    0 |    0.200 |\n"
          "|    1 |     main |    0.060 |    0 |    0.060 |    0 |    0.060 |\n"
          "|    3 |        g |    0.040 |    0 |    0.000 |    1 |    0.013 | *\n"
          "|    0 |     init |    0.000 |    0 |    0.000 |    0 |    0.000 |\n"
          "+------+----------+----------+------+----------+------+----------+\n"
          "* not called on every rank; where it was not, its time counts as 0\n");
}

namespace {

const char* const GroupedTitle = "Runtime profile (Grouped by function name)";

// f calls itself through g, and stands on five paths.
analysis::Profile many_paths() {
    analysis::Profile profile = one_rank(0);
    add(profile, "init", 1, 0, 100 * Ms);
    add(profile, "f<init", 1, 10 * Ms, 60 * Ms);
    add(profile, "g<f<init", 2, 20 * Ms, 50 * Ms);
    add(profile, "f<g<f<init", 3, 30 * Ms, 30 * Ms);
    add(profile, "g<init", 4, 15 * Ms, 40 * Ms);
    add(profile, "f<g<init", 50, 5 * Ms, 25 * Ms);
    add(profile, "h<f<g<init", 1, 20 * Ms, 20 * Ms);
    canonicalise(profile);
    return profile;
}

} // namespace

TEST_CASE("grouped by name, the inclusive time of a recursion counts once") {
    config::Config config;
    config.name_grouped_profile_table_show_table = true;
    config.name_grouped_profile_table_max_stack_ids = 2;
    CHECK(section_of(log_of(many_paths(), config), GroupedTitle) ==
          "+-------+-----------+-----------+-----------+----------+---------+\n"
          "| Calls | t_excl[s] | t_excl[%] | t_incl[s] | Function |  STIDs  |\n"
          "+-------+-----------+-----------+-----------+----------+---------+\n"
          "|    54 |     0.045 |      45.0 |     0.085 |        f | 1,4,... |\n"
          "|     6 |     0.035 |      35.0 |     0.090 |        g |     2,3 |\n"
          "|     1 |     0.020 |      20.0 |     0.020 |        h |       6 |\n"
          "|     1 |     0.000 |       0.0 |     0.100 |     init |       0 |\n"
          "+-------+-----------+-----------+-----------+----------+---------+\n");
}

TEST_CASE("the grouped table has its own order and its own max_rows") {
    config::Config config;
    config.name_grouped_profile_table_show_table = true;
    config.profile_table_sort_table_column = "stack_id";
    config.profile_table_max_rows = 1;
    struct {
        const char* column;
        Cells descending, ascending;
    } const cases[] = {
        {"time_excl", {"f", "g", "h", "init"}, {"init", "h", "g", "f"}},
        {"time_incl", {"init", "g", "f", "h"}, {"h", "f", "g", "init"}},
        {"calls", {"f", "g", "init", "h"}, {"init", "h", "g", "f"}},
        {"none", {"init", "f", "g", "h"}, {"init", "f", "g", "h"}},
    };
    for (const auto& c : cases) {
        INFO(c.column);
        config.name_grouped_profile_table_sort_table_column = c.column;
        config.name_grouped_profile_table_sort_table_ascending = false;
        CHECK(column(section_of(log_of(many_paths(), config), GroupedTitle), 4) == c.descending);
        config.name_grouped_profile_table_sort_table_ascending = true;
        CHECK(column(section_of(log_of(many_paths(), config), GroupedTitle), 4) == c.ascending);
    }
    config.name_grouped_profile_table_max_rows = 3;
    config.name_grouped_profile_table_sort_table_column = "time_excl";
    CHECK(column(section_of(log_of(many_paths(), config), GroupedTitle), 4) ==
          Cells{"init", "h", "g", "(1 more)"});
}

TEST_CASE("a name that is too wide is shortened, and a line says so") {
    analysis::Profile profile = one_rank(0);
    std::string name = "f(" + std::string(100, 'x') + ")";
    add(profile, name + "<init", 1, Ms, Ms);
    std::string log = log_of(profile, {});
    CHECK(section_of(log, "Runtime profile").find("...") != log.npos);
    CHECK(log.find("Names longer than 60 characters are shortened in the middle: '...'\n") !=
          log.npos);
    CHECK(log.find(name + "<init\n") != log.npos); // in full in the list of call stacks
}
