// SPDX-License-Identifier: BSD-3-Clause
#include "report/process_tree_text.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <ctime>

using namespace vftr;
using analysis::Ending;
using analysis::Recording;

namespace {

constexpr std::uint64_t Start = 1795224857'200000000, Ms = 1'000'000;

Recording process(std::uint32_t pid, std::uint64_t from, std::uint64_t to, std::vector<std::string> arguments) {
    Recording r;
    r.pid = pid;
    r.process_start = 100 + pid;
    r.host = "node1";
    r.start_realtime_ns = Start + from * Ms;
    r.end_realtime_ns = Start + to * Ms;
    r.executable = "/usr/bin/" + arguments.front();
    r.arguments = std::move(arguments);
    r.ending = Ending::Exit;
    r.exit_status = 0;
    r.closed = true;
    return r;
}

Recording child(Recording r, const Recording& parent) {
    r.parent = vfd::RecordingId{parent.pid, 0, parent.start_realtime_ns};
    return r;
}

std::string string_of(std::vector<Recording> recordings, report::TreeStyle style = {}) {
    setenv("TZ", "UTC0", 1);
    tzset();
    return report::process_tree_text(analysis::ProcessTree(std::move(recordings)), style);
}

} // namespace

TEST_CASE("a tree as text", "[process_tree]") {
    Recording script = process(100, 0, 1500, {"sh", "job.sh"});
    Recording driver = child(process(101, 10, 900, {"driver", "-n", "two words", ""}), script);
    driver.ending = Ending::Executed;
    driver.exit_status.reset();
    Recording solver = child(process(101, 910, 1400, {"solver"}), driver);
    solver.ending = Ending::Left;
    solver.exit_status = 3;
    Recording helper = child(process(102, 20, 30, {"helper"}), driver);
    helper.ending = Ending::Killed;
    helper.exit_status.reset();
    Recording running = child(process(103, 1450, 1500, {"running"}), script);
    running.ending = Ending::Runs;
    Recording orphan = child(process(200, 5000, 6000, {"orphan"}), process(199, 0, 1, {"gone"}));
    CHECK(string_of({script, driver, solver, helper, running, orphan}) ==
          "PID  RANK  START[s]  END[s]  TIME[s]  ENDED    PROGRAM\n"
          "Sat Nov 21 01:34:17 2026 on node1: 4 processes\n"
          "100           0.000   1.500    1.500  exit 0   sh job.sh\n"
          "101           0.010   0.900    0.890  exec       driver -n 'two words' ''\n"
          "102           0.020   0.030    0.010  killed       helper\n"
          "101           0.910   1.400    0.490  _exit 3    -> solver\n"
          "103           1.450            0.050  runs       running\n"
          "\n"
          "Sat Nov 21 01:34:22 2026 on node1: 1 process\n"
          "                                               process 199 (no recording)\n"
          "200           0.000   1.000    1.000  exit 0     orphan\n");
}

TEST_CASE("children that are alike beyond a number are summed up", "[process_tree]") {
    const Recording make = process(10, 0, 5000, {"make"});
    std::vector<Recording> all{make};
    for (std::uint32_t i = 0; i < 1000; ++i) {
        all.push_back(child(process(100 + i, i, i + 2, {"cc", std::to_string(i)}), make));
        if (i == 500)
            all.back().exit_status = 1;
        if (i >= 900)
            all.push_back(child(process(5000 + i, i + 1, i + 2, {"as"}), all.back()));
    }
    const std::string text = string_of(all);
    CHECK(std::count(text.begin(), text.end(), '\n') == 2 + 1 + 10 + 1 + 1);
    CHECK(text.find("exit 1    cc 500\n") != std::string::npos);
    CHECK(text.find("1.978  exit 0    (989 more of cc, which started 100 others)\n") != std::string::npos);
    SECTION("or all shown") {
        report::TreeStyle style;
        style.most_alike = 0;
        const std::string whole = string_of(all, style);
        CHECK(std::count(whole.begin(), whole.end(), '\n') == 2 + 1 + 1000 + 100);
    }
}

TEST_CASE("a command line is cut to the width, not the columns before it", "[process_tree]") {
    const Recording r = process(10, 0, 5, {"program", std::string(300, 'x'), "\x1b[31m\xc3\xa4"});
    report::TreeStyle style;
    style.width = 80;
    const std::string cut = string_of({r}, style);
    std::size_t last = cut.rfind('\n', cut.size() - 2) + 1;
    CHECK(cut.size() - last == 81);
    CHECK(cut.substr(cut.size() - 4) == "...\n");
    style.width = 0;
    CHECK(string_of({r}, style).find(std::string(300, 'x').append(" '?[31m\xc3\xa4'\n")) != std::string::npos);
}

TEST_CASE("the line of an MPI job", "[process_tree]") {
    std::vector<Recording> ranks;
    for (std::uint32_t i = 0; i < 2; ++i) {
        ranks.push_back(process(20 + i, i, 100 + i, {"solver"}));
        ranks.back().mpi = true;
        ranks.back().rank = static_cast<std::int32_t>(i);
        ranks.back().size = 2;
    }
    ranks[1].ending = Ending::Killed;
    ranks[1].exit_status.reset();
    CHECK(string_of(ranks).find("              0.000   0.101    0.101  various  2 ranks of solver\n"
                                " 20     0     0.000   0.100    0.100  exit 0     solver\n"
                                " 21     1     0.001   0.101    0.100  killed     solver\n") != std::string::npos);
    ranks[0].merged = true;
    CHECK(string_of({ranks[0]}).find("              0.000   0.100    0.100  exit 0  2 ranks of solver\n") !=
          std::string::npos);
}

TEST_CASE("only what is asked for is shown", "[process_tree]") {
    const Recording a = process(10, 0, 5, {"a"}), b = process(11, 0, 5, {"b"});
    report::TreeStyle style;
    style.shown = {false, true};
    CHECK(string_of({a, b}, style).find(" a\n") == std::string::npos);
    style.shown = {false, false};
    CHECK(string_of({a, b}, style).empty());
}
