// SPDX-License-Identifier: BSD-3-Clause
#include "log_text.hpp"
#include "report/waits.hpp"

#include <catch2/catch.hpp>

using namespace vftr;
using namespace vftr::test;
using analysis::WaitState;

namespace {

analysis::Profile profile() {
    analysis::Profile profile = one_rank(0);
    add(profile, "init", 1, 0, 10 * Ms);
    add(profile, "MPI_Recv<main<init", 4, 8 * Ms, 8 * Ms);
    add(profile, "MPI_Barrier<main<init", 2, 4 * Ms, 4 * Ms);
    canonicalise(profile);
    return profile;
}

} // namespace

TEST_CASE("the table of wait states", "[waits]") {
    analysis::Waits waits;
    waits.clock_error = 1500;
    waits.sums = {{2, WaitState::Collective, 2, 1 * Ms, 1 * Ms, 3, Ms / 2, 1},
                  {3, WaitState::LateSender, 5, 6 * Ms, 4 * Ms, 1, 4 * Ms, 0},
                  {2, WaitState::EarlyExit, 1, Ms / 4, Ms / 4, 2, 0, 0}};
    waits.late = {{2, 1, 50, 3, Ms / 2}, {2, 0, 50, 40, 5 * Ms / 2}};
    CHECK(
        report::make_waits(profile(), waits, 0) ==
        "Wait states\n"
        "The clocks of two ranks differ by at most 1.500 us; shorter waits are not counted.\n"
        "+-------+----------+------------+----------+---------+--------------------+-------------+--------+------+-----------+---------+\n"
        "| Waits | time[s]  | of path[%] |  max[s]  | on rank |       State        |  Function   | Caller | STID | caused[s] | by rank |\n"
        "+-------+----------+------------+----------+---------+--------------------+-------------+--------+------+-----------+---------+\n"
        "|     5 | 0.006000 |       75.0 | 0.004000 |       1 |        late sender |    MPI_Recv |   main |    3 |  0.004000 |       0 |\n"
        "|     2 | 0.001000 |       25.0 | 0.001000 |       3 | wait at collective | MPI_Barrier |   main |    2 |  0.000500 |       1 |\n"
        "|     1 | 0.000250 |        6.2 | 0.000250 |       2 |         early exit | MPI_Barrier |   main |    2 |      ---- |    ---- |\n"
        "+-------+----------+------------+----------+---------+--------------------+-------------+--------+------+-----------+---------+\n"
        "\n"
        "Ranks that others waited for in collective calls\n"
        "+------+--------------+----------+------------------+-------------+--------+------+\n"
        "| rank | came last in | of calls | others waited[s] |  Function   | Caller | STID |\n"
        "+------+--------------+----------+------------------+-------------+--------+------+\n"
        "|    0 |           40 |       50 |         0.002500 | MPI_Barrier |   main |    2 |\n"
        "|    1 |            3 |       50 |         0.000500 | MPI_Barrier |   main |    2 |\n"
        "+------+--------------+----------+------------------+-------------+--------+------+\n"
        "\n"
        "Global call stacks:\n"
        "-------------------------------------------------------\n"
        "    STID   Call stack\n"
        "   STID2   MPI_Barrier<main<init\n"
        "   STID3   MPI_Recv<main<init\n");
    std::string first = report::make_waits(profile(), waits, 1);
    CHECK(first.find("(1 more)") != first.npos);
    CHECK(first.find("(2 more)") != first.npos);
    waits.late.clear();
    first = report::make_waits(profile(), waits, 1);
    CHECK(first.find("STID2") == first.npos);
    CHECK(first.find("came last") == first.npos);
}

TEST_CASE("the call stacks of wait states are no wider than asked for", "[waits]") {
    analysis::Profile profile = one_rank(0);
    add(profile, "MPI_Recv<a_function_of_some_length<another_one_of_some_length<main<init", 4, 8 * Ms, 8 * Ms);
    canonicalise(profile);
    analysis::Waits waits;
    waits.sums = {{4, WaitState::LateSender, 5, 6 * Ms, 4 * Ms, 1, 4 * Ms, 0}};
    CHECK(report::make_waits(profile, waits, 0)
              .find("STID4   MPI_Recv<a_function_of_some_length<another_one_of_some_length<main<init\n") !=
          std::string::npos);
    const std::string narrow = report::make_waits(profile, waits, 0, 50);
    CHECK(narrow.find("STID4   MPI_Recv<(2 left out)<main<init\n") != narrow.npos);
    CHECK(narrow.find("; --max-width 0 shows all\n") != narrow.npos);
}

TEST_CASE("what is not in the table of wait states is said", "[waits]") {
    analysis::Waits waits;
    waits.clocks_known = false;
    waits.messages = 10;
    waits.unmatched_messages = 3;
    waits.calls = 5;
    waits.unmatched_calls = 5;
    waits.cut_streams = 1;
    std::string text = report::make_waits(profile(), waits, 0);
    for (const char* line :
         {"Note: the clocks of the ranks were not compared", "Note: 3 of 10 sends and receives have no counterpart",
          "Note: 5 of 5 collective calls have no counterpart", "All ranks have one clock.\n",
          "Note: event streams that are cut off: 1.\n", "No waits were found.\n"})
        CHECK(text.find(line) != text.npos);
}
