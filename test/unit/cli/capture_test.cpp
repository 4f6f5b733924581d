// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/run/capture.hpp"

#include <catch2/catch.hpp>

using namespace vftr::cli;

TEST_CASE("what a command writes is kept, and how it ended", "[cli]") {
    Captured both = capture({"sh", "-c", "echo out; echo err >&2; exit 3"}, 60);
    REQUIRE(both.in_time);
    REQUIRE(both.out == "out\n");
    REQUIRE(both.err == "err\n");
    REQUIRE(both.code == 3);
    REQUIRE(capture({"sh", "-c", "kill -9 $$"}, 60).code == 137);
    REQUIRE(capture({"sh", "-c", "read line; echo \"$line.\""}, 60).out == ".\n");
    REQUIRE(capture({"sh", "-c", "head -c 1000000 /dev/zero"}, 60).out.size() == 1000000);
}

TEST_CASE("a command that cannot be started has a shell's exit code", "[cli]") {
    REQUIRE(capture({"/no/such/command"}, 60).code == 127);
    REQUIRE(capture({"/"}, 60).code == 126);
}

TEST_CASE("a command that does not end is killed with all that it has started", "[cli]") {
    Captured late;
    for (int seconds = 1; seconds <= 64 && late.out.empty(); seconds *= 2) // a busy machine may begin it late
        late = capture({"sh", "-c", "echo begun; sleep 600 & sleep 600"}, seconds);
    REQUIRE_FALSE(late.in_time);
    REQUIRE(late.code == 137);
    REQUIRE(late.out == "begun\n");
    Captured silent = capture({"sh", "-c", "exec >&- 2>&-; sleep 600"}, 1);
    REQUIRE_FALSE(silent.in_time);
    REQUIRE(silent.code == 137);
}
