// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/pattern.hpp"

#include <catch2/catch.hpp>

using vftr::symbols::Pattern;

TEST_CASE("a pattern matches anywhere in the name unless it is anchored", "[symbols]") {
    const Pattern part("work");
    REQUIRE(part.valid());
    CHECK(part.matches("do_work_now"));
    CHECK_FALSE(part.matches("play"));
    const Pattern anchored("^(fib|main)$");
    CHECK(anchored.matches("fib"));
    CHECK_FALSE(anchored.matches("fibonacci"));
}

TEST_CASE("a bad pattern says what is wrong and where, and matches nothing", "[symbols]") {
    const Pattern bad("ab(cd");
    REQUIRE_FALSE(bad.valid());
    CHECK(bad.error().find("parenthesis") != std::string::npos);
    CHECK(bad.error_offset() == 5);
    CHECK_FALSE(bad.matches("abcd"));
}

TEST_CASE("an empty pattern matches every name, the empty one too", "[symbols]") {
    const Pattern empty("");
    REQUIRE(empty.valid());
    CHECK(empty.matches(""));
    CHECK(empty.matches({}));
    CHECK(empty.matches("x"));
}

TEST_CASE("a pattern can match a name that is no valid UTF-8", "[symbols]") {
    CHECK(Pattern("f.n").matches("f\xff"
                                 "n"));
}

TEST_CASE("a pattern that backtracks without end gives up", "[symbols]") {
    const Pattern slow("^(a+)+$");
    REQUIRE(slow.valid());
    CHECK_FALSE(slow.matches("x"));
    CHECK_FALSE(slow.has_given_up());
    CHECK_FALSE(slow.matches(std::string(64, 'a').append("b")));
    CHECK(slow.has_given_up());
}

TEST_CASE("a pattern that gives up on many names does so sooner", "[symbols]") {
    const Pattern slow("(a+)+c|b$");
    const std::string some_steps = std::string(13, 'a') + "b";
    CHECK(slow.matches(some_steps));
    for (int i = 0; i < 16; ++i)
        CHECK_FALSE(slow.matches(std::string(64, 'a')));
    CHECK_FALSE(slow.matches(some_steps));
    CHECK(slow.matches("ab"));
}

TEST_CASE("a pattern can be moved", "[symbols]") {
    Pattern first("x");
    Pattern second = std::move(first);
    CHECK(second.matches("axb"));
}
