// SPDX-License-Identifier: BSD-3-Clause
#include "report/number_text.hpp"
#include "report/path_text.hpp"
#include "report/text_table.hpp"

#include "../analysis/profile_builder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <ctime>
#include <sstream>

using namespace vftr;
using namespace vftr::report;

TEST_CASE("numbers have a point whatever the locale") {
    const char* set = std::setlocale(LC_ALL, "de_DE.UTF-8"); // where it is installed
    CHECK(fixed(1234.5678, 2) == "1234.57");
    CHECK(seconds(891e6, 3) == "0.891");
    CHECK(fixed(1e308, 0).size() == 309);
    if (set)
        std::setlocale(LC_ALL, "C");
}

TEST_CASE("a name that is too long loses its middle") {
    CHECK(fit("short", 5) == "short");
    CHECK(fit("abcdefghij", 9) == "abc...hij");
    CHECK(fit("abcdefghij", 8) == "abc...ij");
    CHECK(fit("äöüäöüäöüä", 7) == "äö...üä");
    CHECK(fit("new\nline\t", 20) == "new?line?");
}

TEST_CASE("ranks are listed as ranges") {
    CHECK(range_list({}) == "");
    CHECK(range_list({2, 5, 6, 7, 9}) == "2, 5-7, 9");
}

TEST_CASE("a date is in local time and English") {
    setenv("TZ", "UTC0", 1);
    tzset();
    CHECK(date(1795224857'000000000) == "Sat Nov 21 01:34:17 2026");
    CHECK(date(1793500000'000000000) == "Sun Nov  1 02:26:40 2026");
}

TEST_CASE("a table is as wide as its cells") {
    TextTable table({"Calls", "Function", "X"});
    table.add_row({"3", "Größe", "1"});
    table.add_row({"1234567", "a_longer_name", ""}, "*");
    CHECK(table.to_text() == "+---------+---------------+---+\n"
                             "|  Calls  |   Function    | X |\n"
                             "+---------+---------------+---+\n"
                             "|       3 |         Größe | 1 |\n"
                             "| 1234567 | a_longer_name |   | *\n"
                             "+---------+---------------+---+\n");
}

TEST_CASE("a table can be parsed back whatever is in its cells") {
    const std::vector<std::string> cells = {"a|b", "a\\", "\\|",   "|",          " a", "a ",  " ",
                                            "  ",  "\\s", "\"a\"", "operator||", "",   "a b", "ä | ö"};
    TextTable table({"Name", "Calls"});
    for (const std::string& cell : cells)
        table.add_row({cell, "7"});
    table.add_row({"a\nb\x1b", "7"});
    std::istringstream text(table.to_text());
    std::vector<std::string> back;
    for (std::string line; std::getline(text, line);) {
        if (line[0] != '|')
            continue;
        std::string cell;
        std::size_t at = line.find_first_not_of(' ', 1);
        for (; line[at] != '|'; ++at)
            if (line[at] != '\\')
                cell += line[at];
            else if (line[++at] == 's')
                cell += '\1';
            else
                cell += line[at];
        cell.erase(cell.find_last_not_of(' ') + 1);
        std::replace(cell.begin(), cell.end(), '\1', ' ');
        back.push_back(cell);
        CHECK(width(line) == width(table.to_text().substr(0, table.to_text().find('\n'))));
    }
    REQUIRE(back.size() == cells.size() + 2);
    CHECK(std::equal(cells.begin(), cells.end(), back.begin() + 1));
    CHECK(back.back() == "a?b?");
}

TEST_CASE("call paths keep both ends") {
    analysis::Profile profile = test::one_rank(0);
    test::add(profile, "h<g<f<main<init", 1, 1, 1);
    std::uint32_t at = test::path_index(profile, "h<g<f<main<init");
    profile.names.push_back("r");
    for (int i = 0; i < 5000; ++i) {
        analysis::PathNode node;
        node.parent = at;
        node.name = static_cast<std::uint32_t>(profile.names.size() - 1);
        profile.nodes.push_back(node);
        at = static_cast<std::uint32_t>(profile.nodes.size() - 1);
    }
    const ShownNames names(profile);
    const PathText paths(profile, names, 40, 60);
    CHECK(paths.of(0) == "init");
    CHECK(paths.of(4) == "h<g<f<main<init");
    CHECK(paths.of(at) == "r<r<r<r<r<r<r<(4996 left out)<main<init"); // 39 characters; with another there would be 41
    CHECK(PathText(profile, names, 100000, 60).of(at) == analysis::call_path(profile, at));
    CHECK(PathText(profile, names, 0, 60).of(at) == analysis::call_path(profile, at));
}

TEST_CASE("a path of very long names is bounded too") {
    analysis::Profile profile = test::one_rank(0);
    std::string path = "init";
    for (int i = 0; i < 20; ++i)
        path = std::string(5000, static_cast<char>('a' + i)) + "<" + path;
    test::add(profile, path, 1, 1, 1);
    const ShownNames names(profile);
    const PathText paths(profile, names, 200, 0);
    std::string text = paths.of(test::path_index(profile, path));
    CHECK(text.size() < 300);
    CHECK(text.find("left out") != text.npos);
    CHECK(text.substr(text.size() - 5) == "<init");
}
