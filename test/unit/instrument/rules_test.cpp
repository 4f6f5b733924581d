// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/rules.hpp"

#include <catch2/catch.hpp>

using namespace vftr::instrument;

namespace {

Hooks early(const Rules& rules, const Body& body, Wish wish = Wish::Nothing, bool is_main = false,
            bool optimised = true) {
    return decide_early(rules, body, wish, is_main, optimised).hooks;
}
Hooks late(const Rules& rules, const Body& body) { return decide_late(rules, body).hooks; }

constexpr Body Accessor{2, 0, 0, 2}, Long{200, 10, 0, 180}, Loop{8, 0, 1, 30};

} // namespace

TEST_CASE("functions get hooks after inlining where they are long enough", "[instrument]") {
    const Rules rules;
    for (const Body& body : {Accessor, Long, Loop})
        CHECK(early(rules, body) == Hooks::After);
    CHECK(late(rules, Accessor) == Hooks::None);
    CHECK(late(rules, Long) == Hooks::After);
    CHECK(late(rules, Loop) == Hooks::After);
    const double bound = rules.min_late_size;
    CHECK(late(rules, {100, 0, 0, bound}) == Hooks::After);
    CHECK(late(rules, {100, 9, 0, bound - 0.5}) == Hooks::None); // most of it is for rare cases
}

TEST_CASE("the main program and what a list includes get hooks before inlining", "[instrument]") {
    for (const Mode mode : {Mode::Auto, Mode::After, Mode::None}) {
        Rules rules;
        rules.mode = mode;
        CHECK(early(rules, Accessor, Wish::Include) == Hooks::Before);
        CHECK(early(rules, Long, Wish::Exclude) == Hooks::None);
        CHECK(early(rules, Accessor, Wish::Nothing, true) == (mode == Mode::None ? Hooks::None : Hooks::Before));
        CHECK(early(rules, Long, Wish::Exclude, true) == Hooks::None);
    }
}

TEST_CASE("without optimisation functions are decided about as they were written", "[instrument]") {
    const Rules rules;
    CHECK(early(rules, Accessor, Wish::Nothing, false, false) == Hooks::None);
    CHECK(early(rules, Loop, Wish::Nothing, false, false) == Hooks::Before);
    CHECK(early(rules, {rules.min_size, 0, 0}, Wish::Nothing, false, false) == Hooks::Before);
    CHECK(early(rules, {rules.min_size - 1, 0, 0}, Wish::Nothing, false, false) == Hooks::None);
}

TEST_CASE("modes are for all functions but those of lists", "[instrument]") {
    Rules rules;
    rules.mode = Mode::Before;
    CHECK(early(rules, Accessor) == Hooks::Before);
    CHECK(early(rules, Accessor, Wish::Exclude) == Hooks::None);
    rules.mode = Mode::After;
    CHECK(early(rules, Accessor) == Hooks::After);
    CHECK(late(rules, Accessor) == Hooks::After);
    CHECK(early(rules, Accessor, Wish::Nothing, false, false) == Hooks::Before);
    rules.mode = Mode::None;
    CHECK(early(rules, Long) == Hooks::None);
}

TEST_CASE("a profile of an earlier run counts for more than the text", "[instrument]") {
    const Rules rules;
    CHECK(late(rules, {500, 20, 3, 12.5, true}) == Hooks::None); // it mostly returns at once
    CHECK(late(rules, {8, 0, 1, 4000, true}) == Hooks::After);
    CHECK(late(rules, {8, 0, 1, 0, true}) == Hooks::None);
}

TEST_CASE("functions that take long are not inlined, where the plugin decides", "[instrument]") {
    Rules rules;
    CHECK(keeps_function(rules, rules.min_keep_size));
    CHECK(!keeps_function(rules, rules.min_keep_size - 0.5));
    rules.min_keep_size = 0; // as the compiler likes it
    CHECK(!keeps_function(rules, 1e9));
    for (const Mode mode : {Mode::Before, Mode::After, Mode::None}) {
        rules = {};
        rules.mode = mode;
        CHECK(!keeps_function(rules, 1e9));
    }
}
