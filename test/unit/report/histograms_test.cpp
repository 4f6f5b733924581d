// SPDX-License-Identifier: BSD-3-Clause
#include "report/histograms.hpp"

#include "../analysis/recorded_program.hpp"
#include "log_text.hpp"
#include "report/report.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <vector>

using namespace vftr;
using namespace vftr::test;

namespace {

// zeta is called 20 times for 10 µs and once for 5 ms.
EventEncoder one_long_call() {
    EventEncoder e(us(0));
    e.enter(us(1), Main);
    std::uint64_t now = 1;
    for (int i = 0; i < 21; ++i) {
        const std::uint64_t duration = i == 7 ? 5000 : 10;
        e.enter(us(now), Zeta).leave(us(now + duration));
        now += duration + 1;
    }
    return e.leave(us(now));
}

std::string histograms_of(const char* functions) {
    const RecordedProgram recorded({program(one_long_call())});
    return report::make_histograms(recorded.run, symbols::Pattern(functions));
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

} // namespace

TEST_CASE("a histogram is drawn, with the longest calls", "[report]") {
    const std::string text = histograms_of("^zeta$");
    INFO(text);
    CHECK(has(text, "|          21 | 10.0 µs |"));
    CHECK(has(text, " 5.0 ms |     zeta |"));
    CHECK(has(text, "20  ##################################################\n"));
    CHECK(has(text, "1  ##\n"));
    CHECK(has(text, "         ...           0\n")); // between 10 µs and 5 ms
    // The call that took longest, and where it was.
    CHECK(has(text, "|   5.0 ms |"));
    CHECK(has(text, "0.000078 | zeta<main<init |"));
    CHECK_FALSE(has(text, "alpha"));
}

TEST_CASE("functions without a call in the timeline are in the table only", "[report]") {
    const std::string text = histograms_of("zeta|alpha");
    INFO(text);
    CHECK(has(text, "|           0 |    ---- |"));
    CHECK_FALSE(has(text, "\nalpha\n"));
    CHECK(has(text, "\nzeta\n"));
}

TEST_CASE("what has no durations is refused", "[report]") {
    CHECK_THROWS_WITH(histograms_of("nobody"), Catch::Contains("no function"));
    const RecordedProgram recorded({program(one_long_call(), vfd::FlagSampling)});
    CHECK_THROWS_WITH(report::make_histograms(recorded.run, symbols::Pattern("zeta")), Catch::Contains("no timeline"));
}

TEST_CASE("the runtime profile has columns for how long single calls take", "[report]") {
    config::Config config;
    config.profile_table_show_distribution = true;
    analysis::Profile profile = one_rank(0);
    add(profile, "main<init", 1, 10 * Ms, 20 * Ms);
    add(profile, "f<main<init", 4, 10 * Ms, 10 * Ms);
    canonicalise(profile);
    std::vector<analysis::PathDurations> durations;
    for (std::uint32_t node = 0; node < profile.nodes.size(); ++node)
        if (profile.names[profile.nodes[node].name] == "f") {
            durations.push_back({node, {}});
            for (const std::uint64_t ns : {1000, 1000, 1000, 9997000})
                durations.back().histogram.add(ns);
        }
    std::string text = report::make_log(profile, config, "", {}, &durations).front().text;
    INFO(text);
    CHECK(has(text, " min   | median |"));
    CHECK(has(text, "| 1.0 µs | 1.0 µs | 10.0 ms | 10.0 ms | 10.0 ms |"));
    CHECK(has(text, "min, median, 90 %, 99 %, max: how long"));
    CHECK(has(text, "by the timeline"));
    // The log at the end of a process has not read the timeline.
    text = report::make_log(profile, config, "").front().text;
    CHECK_FALSE(has(text, "median |"));
    CHECK(has(text, "is known where profile_table.show_distribution was true"));
    // What was recorded comes first.
    profile.durations = durations;
    profile.durations.front().histogram.add(20'000'000);
    text = report::make_log(profile, config, "", {}, &durations).front().text;
    CHECK(has(text, "| 1.0 µs | 1.0 µs | 20.0 ms | 20.0 ms | 20.0 ms |"));
    CHECK(has(text, "that were timed"));
    config.profile_table_show_distribution = false;
    CHECK_FALSE(has(report::make_log(profile, config, "", {}, &durations).front().text, "median"));
}
