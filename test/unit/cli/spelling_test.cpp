// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/syntax/spelling.hpp"

#include <catch2/catch.hpp>

using vftr::cli::Spelling;
using vftr::cli::spelling_of;
using vftr::cli::value_spelling_of;

TEST_CASE("the spelling of an option says its letter, its name and its value") {
    Spelling spelling = spelling_of("--wide");
    CHECK(spelling.letter == '\0');
    CHECK(spelling.name == "wide");
    CHECK(spelling.value.empty());
    CHECK(spelling.shown() == "--wide");
    spelling = spelling_of("-o, --output=FILE");
    CHECK(spelling.letter == 'o');
    CHECK(spelling.name == "output");
    CHECK(spelling.value == "FILE");
    spelling = spelling_of("--rank N");
    CHECK(spelling.name == "rank");
    CHECK(spelling.value == "N");
    spelling = spelling_of("-n N");
    CHECK(spelling.letter == 'n');
    CHECK(spelling.name.empty());
    CHECK(spelling.value == "N");
    CHECK(spelling.shown() == "-n");
    spelling = spelling_of("--env=NAME=VALUE");
    CHECK(spelling.name == "env");
    CHECK(spelling.value == "NAME=VALUE");
}

TEST_CASE("the spelling of a value says which words it can be, and what words in capitals stand for") {
    const auto words = vftr::cli::words_of(spelling_of("--by=sum|mean|max"));
    CHECK(words == std::vector<std::string>{"sum", "mean", "max"});
    CHECK(vftr::cli::enumerated(words) == "sum, mean or max");
    CHECK(vftr::cli::enumerated({"time", "calls"}) == "time or calls");
    auto value = value_spelling_of("time|calls:REGEX");
    REQUIRE(value.alternatives.size() == 2);
    CHECK(value.alternatives[0].literal == "time");
    CHECK(value.alternatives[0].kind.empty());
    CHECK(value.alternatives[1].literal == "calls:");
    CHECK(value.alternatives[1].kind == "REGEX");
    CHECK_FALSE(value.is_list);
    value = value_spelling_of("NAME[,NAME…]");
    REQUIRE(value.alternatives.size() == 1);
    CHECK(value.alternatives[0].kind == "NAME");
    CHECK(value.is_list);
    value = value_spelling_of("[REGEX:]CONDITION");
    REQUIRE(value.alternatives.size() == 1);
    CHECK(value.alternatives[0].literal.empty());
    CHECK(value.alternatives[0].kind == "REGEX");
    CHECK(value_spelling_of("").alternatives.empty());
}
