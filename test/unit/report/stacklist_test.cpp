// SPDX-License-Identifier: BSD-3-Clause
//
// The list of call stacks: of the rows that tables show, in lines of bounded width.
#include "log_text.hpp"

#include "report/number_text.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <sstream>

using namespace vftr;
using namespace vftr::test;

namespace {

constexpr const char* Title = "Global call stacks:";

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

// Without ids.
std::vector<std::string> stacks_of(const std::string& log) {
    std::vector<std::string> stacks;
    for (const std::string& line : lines_of(section_of(log, Title)))
        if (const std::size_t at = line.find("STID"); at != line.npos && line.at(at + 4) != ' ')
            stacks.push_back(line.substr(line.find("   ", at) + 3));
    return stacks;
}

// The ids of all rows of all tables of a log, and those of its list.
std::set<std::string> ids_in_tables(const std::string& log) {
    std::set<std::string> ids;
    std::size_t place = 0; // of the column STID or STIDs, counted in bars
    for (const std::string& line : lines_of(log)) {
        if (line.rfind("| ", 0) != 0)
            continue;
        std::vector<std::string> cells;
        std::istringstream in(line.substr(1));
        for (std::string cell; std::getline(in, cell, '|');)
            cells.push_back(cell.substr(std::min(cell.find_first_not_of(' '), cell.size())));
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (cells[i].rfind("STID", 0) == 0)
                place = i, cells[i] = "";
        std::istringstream list(cells.at(place));
        for (std::string id; std::getline(list, id, ',');)
            if (!id.empty() && std::isdigit(static_cast<unsigned char>(id[0])))
                ids.insert(id.substr(0, id.find(' ')));
    }
    return ids;
}
std::set<std::string> ids_in_list(const std::string& log) {
    std::set<std::string> ids;
    for (const std::string& line : lines_of(section_of(log, Title)))
        if (const std::size_t at = line.find("STID"); at != line.npos && line.at(at + 4) != ' ')
            ids.insert(line.substr(at + 4, line.find(' ', at) - at - 4));
    return ids;
}

std::string chain(int functions, const std::string& name, const std::string& rest) {
    std::string path = rest;
    for (int i = 0; i < functions; ++i)
        path = name + std::to_string(i) + '<' + path;
    return path;
}

} // namespace

TEST_CASE("the call stacks of the rows of each table are listed, and no others", "[stacklist]") {
    analysis::Profile profile = one_rank(0);
    for (int i = 0; i < 9; ++i) {
        const auto time = static_cast<std::uint64_t>(i + 1) * Ms;
        add(profile, "f" + std::to_string(i) + "<main<init", 10u + i, time, time);
        add(profile, "g<f" + std::to_string(i) + "<main<init", 100u - 10u * i, time, time);
    }
    canonicalise(profile);
    config::Config none;
    none.profile_table_show_table = none.name_grouped_profile_table_show_table = false;
    CHECK(ids_in_list(log_of(profile, none)).empty());
    const auto check = [&](const config::Config& config, std::size_t ids) {
        const std::string log = log_of(profile, config);
        CHECK(ids_in_list(log).size() == ids);
        CHECK(ids_in_list(log) == ids_in_tables(log));
    };
    config::Config config = none;
    config.profile_table_show_table = true;
    config.profile_table_max_rows = 3;
    check(config, 3);
    config.profile_table_sort_table_column = "calls";
    check(config, 3);
    config = none;
    config.profile_table_show_minmax_summary = true;
    config.profile_table_max_rows = 4;
    check(config, 4);
    config = none;
    config.name_grouped_profile_table_show_table = true;
    config.name_grouped_profile_table_max_rows = 2;
    config.name_grouped_profile_table_max_stack_ids = 5;
    check(config, 6); // g, of which 5 are told, and f8
}

TEST_CASE("a call stack is no wider than the option says, and keeps its ends", "[stacklist]") {
    analysis::Profile profile = one_rank(0);
    const std::string deep = chain(60, "a_function_", "main<init");
    add(profile, deep, 1, Ms, Ms);
    add(profile, "leaf<main<init", 1, 5 * Ms, 5 * Ms);
    const std::string log = log_of(profile, {});
    for (const std::string& line : lines_of(section_of(log, Title)))
        CHECK(report::width(line) <= 160);
    CHECK(
        section_of(log, Title)
            .find(
                "STID   Call stack, shortened to lines of 160 characters; (N left out): functions in its middle; stacklist.max_width 0 shows all\n") !=
        log.npos);
    bool seen = false;
    for (const std::string& text : stacks_of(log))
        if (text.rfind("a_function_59<a_function_58<", 0) == 0) {
            seen = true;
            CHECK(text.find("left out)<") != text.npos);
            CHECK(text.rfind("<main<init") == text.size() - 10);
            std::istringstream in(text); // no name is cut
            for (std::string name; std::getline(in, name, '<');)
                CHECK((deep.find(name + '<') != deep.npos || name == "init" ||
                       (name.front() == '(' && name.find(" left out)") != name.npos)));
        }
    CHECK(seen);
    config::Config config;
    config.stacklist_max_width = 60;
    for (const std::string& text : stacks_of(log_of(profile, config)))
        CHECK(report::width(text) <= 60);
    config.stacklist_max_width = 0;
    const std::string whole = log_of(profile, config);
    CHECK(whole.find("   " + deep + "\n") != whole.npos);
    CHECK(whole.find("    STID   Call stack\n") != whole.npos);
    config.stacklist_max_width = 1;
    CHECK(log_of(profile, config).find("   a_function_59<(") != log.npos);
}

TEST_CASE("before functions are left out of a call stack long names are shortened as in the tables", "[stacklist]") {
    analysis::Profile profile = one_rank(0);
    const std::string arguments = std::string(70, 'x');
    add(profile, "f(" + arguments + ")<g(" + arguments + ")<main<init", 1, Ms, Ms);
    const std::string text = section_of(log_of(profile, {}), Title);
    CHECK(text.find(arguments) == text.npos);
    CHECK(text.find("left out)<") == text.npos);
    CHECK(text.find("STID   Call stack, shortened to lines") != text.npos);
    CHECK(text.find("<main<init\n") != text.npos);
    add(profile, "f(" + arguments + ")<main<init", 1, Ms, Ms);
    CHECK(log_of(profile, {}).find("   f(" + arguments + ")<main<init\n") != text.npos); // it has room
}

TEST_CASE("different call stacks read differently where there is room for what tells them apart", "[stacklist]") {
    analysis::Profile profile = one_rank(0);
    const std::string outer = chain(20, "outer_function_", "main<init");
    for (const char* way : {"by_rows", "by_columns", "by_blocks"})
        for (const char* kind : {"real", "complex"})
            add(profile,
                chain(20, "inner_function_",
                      std::string(kind) + '<' + chain(5, "between_", std::string(way) + '<' + outer)),
                1, Ms, Ms);
    config::Config config;
    config.profile_table_max_rows = 0;
    const std::string log = log_of(profile, config);
    const std::vector<std::string> stacks = stacks_of(log);
    CHECK(std::set<std::string>(stacks.begin(), stacks.end()).size() == 6);
    CHECK(stacks.size() == 6);
    INFO(section_of(log, Title));
    int found = 0;
    for (const std::string& text : stacks) {
        CHECK(report::width(text) <= 160 - 14);
        found += text.rfind("inner_function_19<", 0) == 0 && text.find(" left out)<by_rows<(") != text.npos &&
                 text.find(" left out)<real<(") != text.npos;
    }
    CHECK(found == 1);
}

TEST_CASE("where long names leave no room for what tells call stacks apart they are shortened further", "[stacklist]") {
    analysis::Profile profile = one_rank(0);
    const auto wide = [](const std::string& name) {
        return "la::" + name +
               "<la::matrix, la::of_doubles_in_the_order_of_rows>(la::matrix const&, la::options const&, long)";
    };
    for (const char* way : {"by_rows", "by_columns"}) // names have no '<' while the path is written down
        add(profile, std::string("LEAF<CALLER<MIDDLE<") + way + "<OUTER<solve<main<init", 1, Ms, Ms);
    for (std::string& name : profile.names)
        if (name != "init" && name != "main" && name != "solve")
            name = wide(name);
    const std::vector<std::string> stacks = stacks_of(log_of(profile, {}));
    REQUIRE(stacks.size() == 2);
    INFO(stacks[0] << '\n' << stacks[1]);
    CHECK(stacks[0].find("la::by_rows<") != std::string::npos);
    CHECK(stacks[1].find("la::by_columns<") != std::string::npos);
    for (const std::string& text : stacks) {
        CHECK(report::width(text) <= 160 - 14);
        CHECK(text.rfind("la::LEAF<", 0) == 0);
    }
}

TEST_CASE("call stacks of equal names are told apart by their ids alone", "[stacklist]") {
    analysis::Profile profile = one_rank(0);
    add(profile, chain(100, "f", "twin<main<init"), 1, Ms, Ms);
    add(profile, chain(100, "f", "other<main<init"), 1, Ms, Ms);
    profile.names.at(name_index(profile, "other")) = "twin";
    config::Config config;
    config.profile_table_max_rows = 0;
    const std::vector<std::string> stacks = stacks_of(log_of(profile, config));
    REQUIRE(stacks.size() == 2);
    CHECK(stacks[0] == stacks[1]);
}
