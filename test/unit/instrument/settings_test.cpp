// SPDX-License-Identifier: BSD-3-Clause
#include "instrument/settings.hpp"

#include <catch2/catch.hpp>

using namespace vftr::instrument;

TEST_CASE("options of the plugins are set by their names", "[instrument]") {
    Settings settings;
    CHECK(settings.rules.mode == Mode::Auto);
    CHECK(set_option(settings, "hooks", "after").empty());
    CHECK(settings.rules.mode == Mode::After);
    CHECK(set_option(settings, "hooks", "before").empty());
    CHECK(settings.rules.mode == Mode::Before);
    CHECK(set_option(settings, "hooks", "none").empty());
    CHECK(settings.rules.mode == Mode::None);
    CHECK(set_option(settings, "hooks", "auto").empty());
    CHECK(settings.rules.mode == Mode::Auto);
    CHECK(set_option(settings, "min-size", "7").empty());
    CHECK(settings.rules.min_size == 7);
    CHECK(set_option(settings, "min-late-size", "0").empty());
    CHECK(settings.rules.min_late_size == 0);
    CHECK(set_option(settings, "min-keep-size", "1000").empty());
    CHECK(settings.rules.min_keep_size == 1000);
    CHECK(set_option(settings, "report", "decisions.txt").empty());
    CHECK(settings.report == "decisions.txt");
}

TEST_CASE("an option that is wrong is named with what is allowed", "[instrument]") {
    Settings settings;
    CHECK(set_option(settings, "hooks", "late") == "hooks=late: it is one of auto, before, after and none");
    for (const char* number : {"", "x", "-1", "5x", " 5", "99999999999"})
        CHECK(set_option(settings, "min-size", number) ==
              "min-size=" + std::string(number) + ": it is a number of statements, 0 or more");
    CHECK(set_option(settings, "report", "") == "report=: it is the name of a file");
    CHECK(set_option(settings, "hook", "auto") ==
          "unknown option hook; there are hooks, min-size, min-late-size, min-keep-size, include, exclude and report");
    CHECK(set_option(settings, "include", "/not/there") == "cannot read /not/there: No such file or directory");
}
