// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/tell/painted_text.hpp"

#include <catch2/catch.hpp>

using vftr::cli::painted;

TEST_CASE("headings of a table are bold, and its verdicts have colours", "[painted_text]") {
    const std::string text = "Title\n"
                             "+------+---------+----------+\n"
                             "| a\\|b | verdict | Function |\n"
                             "+------+---------+----------+\n"
                             "|    1 |  slower |   slower |\n"
                             "|  \\|  |  faster |  f\\|new |\n"
                             "|    3 |    same |      new |\n"
                             "+------+---------+----------+\n"
                             "\n"
                             "| slower | slower |\n";
    CHECK(painted(text) == "\033[1mTitle\033[0m\n"
                           "+------+---------+----------+\n"
                           "\033[1m| a\\|b | verdict | Function |\033[0m\n"
                           "+------+---------+----------+\n"
                           "|    1 |  \033[31mslower\033[0m |   slower |\n"
                           "|  \\|  |  \033[32mfaster\033[0m |  f\\|new |\n"
                           "|    3 |    same |      new |\n"
                           "+------+---------+----------+\n"
                           "\n"
                           "| slower | slower |\n");
}

TEST_CASE("a table without verdicts keeps its rows, also behind one that has them", "[painted_text]") {
    const std::string with = "+---------+\n| verdict |\n+---------+\n|  slower |\n+---------+\n";
    const std::string without = "+----------+\n| Function |\n+----------+\n|   slower |\n+----------+\n";
    const std::string both = painted(with + without);
    CHECK(both.find("|   slower |\n") != both.npos);
    CHECK(both.find("|  \033[31mslower\033[0m |\n") != both.npos);
}

TEST_CASE("words at the beginning of a line have colours", "[painted_text]") {
    CHECK(painted("ok: ./a problem: none") == "\033[32mok:\033[0m ./a problem: none");
    CHECK(painted("problem: x\n") == "\033[31mproblem:\033[0m x\n");
    CHECK(painted("Warning: x\nbooks: y\n") == "\033[33mWarning:\033[0m x\nbooks: y\n");
    CHECK(painted("").empty());
    CHECK(painted("\n\n") == "\n\n");
}
