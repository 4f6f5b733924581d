// SPDX-License-Identifier: BSD-3-Clause
#include "log_text.hpp"

#include "report/number_text.hpp"
#include "report/rows.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace vftr;
using namespace vftr::test;
using Cells = std::vector<std::string>;

namespace {

const char* const Title = "Communication profile";
const char* const Matrix = "Communication matrix";

// Rank 0 sends 3 messages of 1000 bytes to rank 1 in 3 µs and 1 of 5 bytes to rank 2; rank 2 answers rank 0.
analysis::Profile talk() {
    analysis::Profile all;
    for (std::int32_t rank = 0; rank < 3; ++rank) {
        analysis::Profile one = one_rank(rank);
        one.summary.mpi = true;
        one.world_size = 3;
        add(one, "init", 1, 0, 100 * Ms);
        add(one, "main<init", 1, 60 * Ms, 100 * Ms);
        add(one, "MPI_Send<main<init", 4, 1 * Ms, 1 * Ms);
        add(one, "MPI_Recv<main<init", 3, 2 * Ms, 2 * Ms);
        add(one, "MPI_Sendrecv<f<main<init", 1, 3 * Ms, 3 * Ms);
        if (rank == 0) {
            add_sent(one, "MPI_Send<main<init", 1, {3, 3000, 3000}, false, true);
            add_sent(one, "MPI_Sendrecv<f<main<init", 2, {1, 5, 1000}, false, true);
            add_received(one, "MPI_Sendrecv<f<main<init", {1, 7, 2000});
        } else if (rank == 1) {
            add_received(one, "MPI_Recv<main<init", {3, 3000, 6000});
        } else {
            add_sent(one, "MPI_Sendrecv<f<main<init", 0, {1, 7, 1000}, false, true);
            add_received(one, "MPI_Sendrecv<f<main<init", {1, 5, 2000});
        }
        merge(all, one);
    }
    canonicalise(all);
    return all;
}

config::Config with_column(const char* column, bool ascending = false) {
    config::Config config;
    config.mpi_sort_table_column = column;
    config.mpi_sort_table_ascending = ascending;
    return config;
}

} // namespace

TEST_CASE("the communication profile", "[communication]") {
    // The columns of version 2.0, the totals behind them; the longest time first.
    CHECK(
        section_of(log_of(talk(), {}), Title) ==
        "+----------+---------+---------+-----------+-----------+-----------+--------------+--------+------+------------+------------+-------------+\n"
        "| Messages | send[B] | recv[B] | send[B/s] | recv[B/s] |  time[s]  |   Function   | Caller | STID | total sent | total recv | in calls[s] |\n"
        "+----------+---------+---------+-----------+-----------+-----------+--------------+--------+------+------------+------------+-------------+\n"
        "|        4 |     6.0 |     6.0 | 6.000e+06 | 3.000e+06 | 1.500e-06 | MPI_Sendrecv |      f |    5 |       12 B |       12 B |    0.009000 |\n"
        "|        3 |    ---- |  1000.0 |      ---- | 5.000e+08 | 2.000e-06 |     MPI_Recv |   main |    2 |       ---- |     3000 B |    0.006000 |\n"
        "|        3 |  1000.0 |    ---- | 1.000e+09 |      ---- | 1.000e-06 |     MPI_Send |   main |    3 |     3000 B |       ---- |    0.003000 |\n"
        "+----------+---------+---------+-----------+-----------+-----------+--------------+--------+------+------------+------------+-------------+\n"
        "send, recv: sent and received messages; [B], [B/s] and time[s]: averages of a message\n"
        "in calls[s]: of the calls that began the messages, over all ranks; what MPI_Wait and the like take has rows of its own in the runtime profile\n");
}

TEST_CASE("the communication profile is sorted by every column, both ways", "[communication]") {
    struct {
        const char* column;
        Cells descending, ascending;
    } const cases[] = {
        {"messages", {"5", "2", "3"}, {"2", "3", "5"}},  {"send_size", {"3", "5", "2"}, {"2", "5", "3"}},
        {"recv_size", {"2", "5", "3"}, {"3", "5", "2"}}, {"send_bw", {"3", "5", "2"}, {"2", "5", "3"}},
        {"recv_bw", {"2", "5", "3"}, {"3", "5", "2"}},   {"comm_time", {"2", "5", "3"}, {"3", "5", "2"}},
        {"calls", {"3", "2", "5"}, {"5", "2", "3"}},     {"stack_id", {"5", "3", "2"}, {"2", "3", "5"}},
        {"none", {"5", "2", "3"}, {"3", "2", "5"}},      {"time", {"5", "2", "3"}, {"3", "2", "5"}},
        {"sent", {"3", "5", "2"}, {"2", "5", "3"}},      {"received", {"2", "5", "3"}, {"3", "5", "2"}},
    };
    for (const auto& c : cases) {
        INFO(c.column);
        CHECK(column(section_of(log_of(talk(), with_column(c.column)), Title), 8) == c.descending);
        CHECK(column(section_of(log_of(talk(), with_column(c.column, true)), Title), 8) == c.ascending);
    }
}

TEST_CASE("the communication profile fits into 160 columns unless wider names are asked for", "[communication]") {
    analysis::Profile profile = one_rank(0);
    profile.summary.mpi = true;
    profile.world_size = 2;
    const std::string wide(50, 'w');
    for (const std::string& path : {"MPI_Neighbor_alltoallv_init<" + wide + "_one<main<init",
                                    "MPI_Neighbor_alltoallv_init<" + wide + "_two<main<init", wide + "<main<init"})
        add_sent(profile, path.c_str(), 1, {2, 1234567890, 6000});
    canonicalise(profile);
    const auto widest = [&](const config::Config& config) {
        std::size_t most = 0;
        const std::string table = section_of(log_of(profile, config), Title);
        for (std::size_t at = 0, end; (end = table.find('\n', at)) != table.npos && table[at] != 's'; at = end + 1)
            most = std::max(most, report::width(table.substr(at, end - at)));
        return most;
    };
    CHECK(widest({}) <= 160);
    const std::string table = section_of(log_of(profile, {}), Title);
    const Cells callers = column(table, 7);
    CHECK(callers.size() == 3);
    CHECK(std::set<std::string>(callers.begin(), callers.end()).size() == 3); // still different ones
    config::Config config;
    config.max_name_width = 70;
    CHECK(widest(config) > 160);
    const Cells whole = column(section_of(log_of(profile, config), Title), 7);
    CHECK(std::ranges::count(whole, wide + "_one") == 1);
}

TEST_CASE("names of two columns share the room that there is", "[communication]") {
    CHECK(report::width_for_names(13, 60, 40) == 27); // the one is shorter than that
    CHECK(report::width_for_names(60, 13, 40) == 27);
    CHECK(report::width_for_names(60, 50, 40) == 20);
    CHECK(report::width_for_names(60, 50, 10) == 16); // shorter ones tell nothing
}

TEST_CASE("call paths and the rest of the rows in the communication profile", "[communication]") {
    config::Config config = with_column("messages");
    config.mpi_show_callpath = true;
    config.mpi_max_rows = 1;
    std::string table = section_of(log_of(talk(), config), Title);
    CHECK(column(table, 12) == Cells{"MPI_Sendrecv<f<main<init", "----"});
    CHECK(column(table, 9) == Cells{"12 B", "3000 B"});
    CHECK(column(table, 10) == Cells{"12 B", "3000 B"});
    CHECK(column(table, 11) == Cells{"0.009000", "0.009000"});
    CHECK(column(table, 0) == Cells{"4", "6"});
    CHECK(column(table, 1) == Cells{"6.0", "1000.0"});
    CHECK(column(table, 5) == Cells{"1.500e-06", "1.500e-06"});
    CHECK(column(table, 6) == Cells{"MPI_Sendrecv", "(2 more)"});
}

TEST_CASE("averages of sums near 2^64 do not overflow", "[communication]") {
    analysis::Profile profile = one_rank(0);
    profile.summary.mpi = true;
    profile.world_size = 2;
    constexpr std::uint64_t Huge = 18'000'000'000'000'000'000u;
    add_sent(profile, "MPI_Send<init", 1, {2, Huge, 6'000'000'000'000'000'000u});
    add_received(profile, "MPI_Send<init", {1, 3u << 30, 6'000'000'000'000'000'000u});
    canonicalise(profile);
    std::string table = section_of(log_of(profile, {}), Title);
    CHECK(column(table, 1) == Cells{"9000000000000000000.0"});
    CHECK(column(table, 2) == Cells{"3221225472.0"});
    CHECK(column(table, 3) == Cells{"3.000e+09"});
    CHECK(column(table, 5) == Cells{"4.000e+09"});
    CHECK(column(table, 9) == Cells{"16370904.6 TiB"});
    CHECK(column(table, 10) == Cells{"3072.0 MiB"});
}

TEST_CASE("tables of messages appear only where MPI was used and they are wanted", "[communication]") {
    analysis::Profile profile = three_ranks();
    CHECK(log_of(profile, {}).find(Title) == std::string::npos);
    profile.summary.mpi = true;
    CHECK(section_of(log_of(profile, {}), Title) == "No messages were recorded.\n");
    CHECK(log_of(profile, {}).find(Matrix) == std::string::npos);
    config::Config config;
    config.mpi_show_table = config.mpi_show_matrix = false;
    CHECK(log_of(talk(), config).find("Communication") == std::string::npos);
}

TEST_CASE("the call stacks of the communication tables are listed", "[communication]") {
    config::Config config;
    config.profile_table_show_table = false;
    config.name_grouped_profile_table_show_table = false;
    std::string stacks = section_of(log_of(talk(), config), "Global call stacks:");
    CHECK(stacks.find("STID5   MPI_Sendrecv<f<main<init\n") != stacks.npos);
    CHECK(stacks.find("STID4 ") == stacks.npos);
    config.mpi_show_table = false;
    config.mpi_matrix_per_callpath = true;
    stacks = section_of(log_of(talk(), config), "Global call stacks:");
    CHECK(stacks.find("STID3   MPI_Send<main<init\n") != stacks.npos);
    CHECK(stacks.find("STID2 ") == stacks.npos);
}

TEST_CASE("with separate tables the communication is in a file of its own", "[communication]") {
    config::Config config;
    config.profile_table_separate = true;
    std::vector<report::LogFile> files = report::make_log(talk(), config, "");
    REQUIRE(files.size() == 3);
    CHECK(files[1].suffix == "_namegroup");
    CHECK(files[2].suffix == "_mpi");
    CHECK(files[2].text.rfind("Communication profile\n", 0) == 0);
    CHECK(files[2].text.find("\nCommunication matrix\n") != std::string::npos);
}

TEST_CASE("the matrix of a few ranks", "[communication]") {
    CHECK(
        section_of(log_of(talk(), {}), Matrix) ==
        "bytes\n"
        "+---------+------+------+------+------+\n"
        "| from\\to |  0   |  1   |  2   | sum  |\n"
        "+---------+------+------+------+------+\n"
        "|       0 | ---- | 3000 |    5 | 3005 |\n"
        "|       1 | ---- | ---- | ---- | ---- |\n"
        "|       2 |    7 | ---- | ---- |    7 |\n"
        "|     sum |    7 | 3000 |    5 | 3012 |\n"
        "+---------+------+------+------+------+\n"
        "Messages\n"
        "+---------+------+------+------+------+\n"
        "| from\\to |  0   |  1   |  2   | sum  |\n"
        "+---------+------+------+------+------+\n"
        "|       0 | ---- |    3 |    1 |    4 |\n"
        "|       1 | ---- | ---- | ---- | ---- |\n"
        "|       2 |    1 | ---- | ---- |    1 |\n"
        "|     sum |    1 |    3 |    1 |    5 |\n"
        "+---------+------+------+------+------+\n"
        "message time[s] (no elapsed time: from begin to end of each message, also where many are under way at once)\n"
        "+---------+----------+----------+----------+----------+\n"
        "| from\\to |    0     |    1     |    2     |   sum    |\n"
        "+---------+----------+----------+----------+----------+\n"
        "|       0 |     ---- | 0.000003 | 0.000001 | 0.000004 |\n"
        "|       1 |     ---- |     ---- |     ---- |     ---- |\n"
        "|       2 | 0.000001 |     ---- |     ---- | 0.000001 |\n"
        "|     sum | 0.000001 | 0.000003 | 0.000001 | 0.000005 |\n"
        "+---------+----------+----------+----------+----------+\n"
        "+-------------------+------+---------+-----+---------+------+---------+---------------+---------+\n"
        "|     Per rank      | sum  | average | min | on rank | max  | on rank | Imbalances[%] | on rank |\n"
        "+-------------------+------+---------+-----+---------+------+---------+---------------+---------+\n"
        "|        bytes sent | 3012 |  1004.0 |   0 |       1 | 3005 |       0 |        199.30 |       0 |\n"
        "|    bytes received | 3012 |  1004.0 |   5 |       2 | 3000 |       1 |        198.80 |       1 |\n"
        "|     messages sent |    5 |     1.7 |   0 |       1 |    4 |       0 |        140.00 |       0 |\n"
        "| messages received |    5 |     1.7 |   1 |       0 |    3 |       1 |         80.00 |       1 |\n"
        "+-------------------+------+---------+-----+---------+------+---------+---------------+---------+\n");
}

// Issue: a collective counts messages to oneself, and the matrix does not say so.
TEST_CASE("messages of ranks to themselves are in the matrix, which says so", "[communication]") {
    const std::string line = "Messages of ranks to themselves (those of collective calls, too) are counted: ";
    CHECK(log_of(talk(), {}).find(line) == std::string::npos);
    analysis::Profile one = one_rank(0);
    one.summary.mpi = true;
    one.world_size = 2;
    add_sent(one, "MPI_Allreduce<init", 0, {3, 300, 1});
    add_sent(one, "MPI_Allreduce<init", 1, {4, 500, 1});
    canonicalise(one);
    CHECK(section_of(log_of(one, {}), Matrix).starts_with(line + "300 of 800 bytes, 3 of 7 messages\nbytes\n"));
    one.lighter_pairs = {5, {1, 20, 1}};
    CHECK(section_of(log_of(one, {}), Matrix).starts_with(line + "at least 300 of 820 bytes, 3 of 8 messages\n"));
}

TEST_CASE("the matrix per call path lists the pairs with their paths", "[communication]") {
    config::Config config;
    config.mpi_matrix_per_callpath = true;
    std::string section = section_of(log_of(talk(), config), Matrix);
    std::size_t begin = section.find("Pairs of ranks that moved most\n");
    REQUIRE(begin != section.npos);
    std::string table = section.substr(section.find('\n', begin) + 1);
    table = table.substr(0, table.find("|     Per rank"));
    CHECK(column(table, 8) == Cells{"3", "5", "5"});
    CHECK(column(table, 1) == Cells{"1", "0", "2"});
    CHECK(column(table, 4) == Cells{"99.6", "0.2", "0.2"});
}

TEST_CASE("of many ranks the matrix is a summary", "[communication]") {
    config::Config config;
    config.mpi_matrix_max_ranks = 2;
    CHECK(section_of(log_of(talk(), config), Matrix).find("from\\to") == std::string::npos);
    CHECK(column(section_of(log_of(talk(), config), Matrix).substr(31), 3)[0] == "3000");

    analysis::Profile all;
    constexpr std::uint32_t Size = 100;
    for (std::uint32_t rank = 0; rank < Size; ++rank) {
        analysis::Profile one = one_rank(static_cast<std::int32_t>(rank));
        one.summary.mpi = true;
        one.world_size = Size;
        for (std::uint32_t to = 0; to < 4; ++to)
            add_sent(one, "MPI_Send<init", to, {1, rank == 7 ? 1000u : 10u, 1});
        merge(all, one);
    }
    canonicalise(all);
    auto pairs = [&all](const config::Config& of) {
        const std::string whole = section_of(log_of(all, of), Matrix), title = "Pairs of ranks that moved most\n";
        REQUIRE(whole.find(title) != whole.npos);
        return whole.substr(whole.find(title) + title.size());
    };
    std::string section = pairs({});
    Cells from = column(section, 0), bytes = column(section, 3);
    REQUIRE(from.size() > 101);
    CHECK(from[0] == "7");
    CHECK(bytes[3] == "1000");
    CHECK(from[4] == "0");
    CHECK(from[100] == "(300 more)");
    CHECK(bytes[100] == "3000");
    config = {};
    config.mpi_max_rows = 3;
    section = pairs(config);
    CHECK(column(section, 0)[3] == "(397 more)");
    CHECK(column(section, 3)[3] == std::to_string(96 * 10 + 3000 + 1000));
}

TEST_CASE("ranks of another job are marked in the matrix", "[communication]") {
    analysis::Profile one = one_rank(0);
    one.summary.mpi = true;
    one.world_size = 1;
    add_sent(one, "MPI_Send<init", vfd::ForeignRank | 3, {1, 8, 1});
    canonicalise(one);
    std::string section = section_of(log_of(one, {}), Matrix);
    CHECK(section.find("|  0   |  x3  |") != section.npos);
    CHECK(section.find("x: a rank of another job\n") != section.npos);
}
