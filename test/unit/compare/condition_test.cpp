// SPDX-License-Identifier: BSD-3-Clause
#include "compared.hpp"

#include "compare/condition.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace vftr;
using compare::Condition;
using test::Compared;
using test::run_of;

TEST_CASE("conditions are asked of verdicts, columns and functions", "[compare]") {
    const Compared both(
        {run_of({{"main<init", 1, 100}, {"f<main<init", 10, 100}, {"ns::g<main<init", 10, 100}})},
        {run_of(
            {{"main<init", 1, 100}, {"f<main<init", 12, 300}, {"ns::g<main<init", 10, 102}, {"h<main<init", 3, 50}})});
    const auto failing = [&](const char* condition) {
        return rows_that_fail(Condition(condition), both.comparison, both.names);
    };
    CHECK(failing("slower") == "slower: f (+200.0 %)");
    CHECK(failing("slower>199%") == "slower>199%: f (+200.0 %)");
    CHECK(failing("slower>201%") == "");
    CHECK(failing("faster") == "");
    CHECK(failing("new") == "new: h");
    CHECK(failing("gone") == "");
    CHECK(failing("^f$:slower>5%") == "^f$:slower>5%: f (+200.0 %)");
    CHECK(failing("ns::g:slower>5%") == "");
    CHECK(failing("ns::g:change>1%") == "ns::g:change>1%: ns::g (+2.0 %)");
    CHECK(failing("difference>150ms") == "difference>150ms: f (+200.0 %)");
    CHECK(failing("difference>0.3s") == "");
    CHECK(failing("difference>150000000ns") == "difference>150000000ns: f (+200.0 %)");
    CHECK(failing("calls_change>0%") == "calls_change>0%: f (calls +20.0 %)");
    CHECK(failing("^f$:low>3") == "");
    CHECK(failing("^f$:high>3") == "^f$:high>3: f (+200.0 %)");
    CHECK(failing("new>200ms") == "new>200ms: f (+200.0 %)"); // the column, not the verdict
    CHECK(failing("new_calls<4") == "new_calls<4: h (3 calls), main (calls +0.0 %)");
}

TEST_CASE("a condition that makes no sense says what is allowed", "[compare]") {
    for (const char* wrong : {"", "slow", "slower>5", "slower>5%%", "slower<5%", "slower>", "difference>5%", "ratio>1s",
                              "slower>nan%", "ratio>inf", "(:slower", "calls>3", "slower=5%"})
        if (std::string(wrong) == "slower>5") // a change is a percentage with or without its sign
            CHECK_NOTHROW(Condition(wrong));
        else
            CHECK_THROWS_AS(Condition(wrong), std::invalid_argument);
    CHECK_THROWS_WITH(Condition("slow"), Catch::Contains("slower, faster") && Catch::Contains("calls_change"));
    CHECK_THROWS_WITH(Condition("(:slower"), Catch::Contains("regular expression"));
}
