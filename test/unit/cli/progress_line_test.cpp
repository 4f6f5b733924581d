// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/tell/progress_line.hpp"

#include <catch2/catch.hpp>

using vftr::cli::ProgressLine;
using namespace std::chrono_literals;

TEST_CASE("progress is shown from the second second of a command on, ten times a second", "[progress_line]") {
    const ProgressLine::Clock::time_point begin{100s};
    ProgressLine::begin_command("vftr report", begin);
    ProgressLine line("reading");
    CHECK(line.text_at(0.1, begin).empty());
    CHECK(line.text_at(0.1, begin + 999ms).empty());
    CHECK(line.text_at(0.126, begin + 1s) == "vftr report: reading, 13 %");
    CHECK(line.text_at(0.2, begin + 1099ms).empty());
    CHECK(line.text_at(0.2, begin + 1100ms) == "vftr report: reading, 20 %");
    line.begin("perfetto");
    CHECK(line.text_at(1, begin + 2s) == "vftr report: perfetto, 100 %");
    CHECK(ProgressLine("more").text_at(0, begin + 2s) == "vftr report: more, 0 %");
}
