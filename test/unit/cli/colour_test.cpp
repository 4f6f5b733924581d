// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/tell/colour.hpp"

#include <catch2/catch.hpp>

using vftr::cli::ColourEvidence;
using vftr::cli::colours_wanted;
using vftr::cli::ColourWish;

TEST_CASE("without a wish a terminal has colours, and nothing else", "[colour]") {
    CHECK(colours_wanted({.term = "xterm", .terminal = true}));
    CHECK_FALSE(colours_wanted({.term = "xterm", .terminal = false}));
    CHECK_FALSE(colours_wanted({.term = "dumb", .terminal = true}));
    CHECK_FALSE(colours_wanted({.term = "", .terminal = true}));
    CHECK_FALSE(colours_wanted({.terminal = true}));
}

TEST_CASE("variables ask for colours or against them", "[colour]") {
    CHECK_FALSE(colours_wanted({.no_color = "1", .term = "xterm", .terminal = true}));
    CHECK(colours_wanted({.no_color = "", .term = "xterm", .terminal = true}));
    CHECK(colours_wanted({.clicolor_force = "1", .terminal = false}));
    CHECK_FALSE(colours_wanted({.clicolor_force = "0", .terminal = false}));
    CHECK_FALSE(colours_wanted({.no_color = "1", .clicolor_force = "1", .terminal = true}));
    CHECK_FALSE(colours_wanted({.clicolor = "0", .term = "xterm", .terminal = true}));
}

TEST_CASE("the option stands above all variables", "[colour]") {
    CHECK(colours_wanted({.wish = ColourWish::Always, .no_color = "1", .term = "dumb", .terminal = false}));
    CHECK_FALSE(colours_wanted({.wish = ColourWish::Never, .clicolor_force = "1", .term = "xterm", .terminal = true}));
}
