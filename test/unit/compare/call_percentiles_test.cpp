// SPDX-License-Identifier: BSD-3-Clause
#include "compare/call_percentiles.hpp"

#include "compare/comparison_text.hpp"
#include "compare/condition.hpp"
#include "compared.hpp"

#include <catch2/catch.hpp>

#include <initializer_list>
#include <string>
#include <string_view>

using namespace vftr;
using namespace vftr::test;

namespace {

struct PlantedCalls {
    std::uint64_t calls, ns;
};

void add_calls(analysis::Profile& profile, std::string_view path, std::initializer_list<PlantedCalls> planted) {
    analysis::PathDurations durations{path_index(profile, path), {}};
    for (const PlantedCalls& one : planted)
        durations.histogram.add(one.ns, one.calls);
    const auto place = std::ranges::lower_bound(profile.durations, durations.node, {}, &analysis::PathDurations::node);
    profile.durations.insert(place, durations);
}

// f is called by main and by g; 100 of its 1000 calls take as long as is said.
analysis::Profile run_with_tail(std::uint64_t ns) {
    analysis::Profile run =
        run_of({{"main<init", 1, 10}, {"f<main<init", 600, 100}, {"g<main<init", 10, 1}, {"f<g<main<init", 400, 50}});
    add_calls(run, "f<main<init", {{600, 10000}});
    add_calls(run, "f<g<main<init", {{300, 10000}, {100, ns}});
    add_calls(run, "g<main<init", {{10, 10 * ns}});
    return run;
}

// With one blank in place of several.
std::string text_of(const Compared& both, const compare::TextOptions& options = {}) {
    std::string text;
    for (const char each : comparison_text(both.comparison, both.tree, options))
        if (each != ' ' || !text.ends_with(' '))
            text += each;
    return text;
}

} // namespace

TEST_CASE("percentiles are of the calls of a function on all its paths, in all runs of a side", "[compare]") {
    const Compared functions({run_with_tail(1000000), run_with_tail(1000000)}, {run_with_tail(4000000)});
    const compare::RowPercentiles* f = functions.comparison.percentiles_of(functions.row("f"));
    REQUIRE(f);
    CHECK(f->of[compare::Base].calls == 2000);
    CHECK(f->of[compare::New].calls == 1000);
    CHECK(f->of[compare::Base].ns == std::array<std::uint64_t, 3>{10000, 10239, 1000000});
    CHECK(f->of[compare::New].ns == std::array<std::uint64_t, 3>{10000, 10239, 4000000});
    CHECK(f->difference(2) == 3000000);
    CHECK_FALSE(functions.comparison.percentiles_of(functions.row("main")));

    const Compared paths({run_with_tail(1000000)}, {run_with_tail(4000000)}, true);
    const auto calls_of = [&](const char* path) {
        return paths.comparison.percentiles_of(paths.row(path))->of[compare::New].calls;
    };
    CHECK(calls_of("init;main;f") == 600);
    CHECK(calls_of("init;main;g;f") == 400);
}

TEST_CASE("what percentiles are not known to, and what hangs on a few calls, is no difference", "[compare]") {
    const auto differs = [](std::initializer_list<PlantedCalls> base, std::initializer_list<PlantedCalls> next) {
        compare::PerSide<analysis::Profile> runs{run_of({{"main<init", 1, 10}}), run_of({{"main<init", 1, 10}})};
        add_calls(runs[compare::Base], "main<init", base);
        add_calls(runs[compare::New], "main<init", next);
        const Compared both({runs[compare::Base]}, {runs[compare::New]});
        const compare::RowPercentiles* its = both.comparison.percentiles_of(both.row("main"));
        return std::string(its->differs(0) ? "median " : "") + (its->differs(1) ? "p90 " : "") +
               (its->differs(2) ? "p99" : "");
    };
    CHECK(differs({{1000, 10000}}, {{1000, 20000}}) == "median p90 p99");
    CHECK(differs({{1000, 20000}}, {{1000, 10000}}) == "median p90 p99");
    CHECK(differs({{1000, 10000}}, {{1000, 12000}}) == "");
    CHECK(differs({{10, 10000}}, {{1000, 20000}}) == "median ");
    CHECK(differs({{990, 10000}, {10, 1000000}}, {{900, 10000}, {100, 1000000}}) == "p99");
    CHECK(differs({{9, 10000}}, {{9, 20000}}) == "");
}

TEST_CASE("percentiles of single calls stand in all formats", "[compare]") {
    const Compared both({run_with_tail(1000000)}, {run_with_tail(4000000)});
    const std::string text = text_of(both);
    CHECK_THAT(text, Catch::Contains("\n\nSingle calls\n"));
    CHECK_THAT(text,
               Catch::Contains("| 10.0 µs | 10.0 µs | ---- | 10.2 µs | 10.2 µs | ---- | 1.0 ms | 4.0 ms | +3.0 ms "
                               "| 1000 | 1000 | f |"));
    CHECK_THAT(text, Catch::Contains("| 10.0 ms | 40.0 ms | +30.0 ms |") && Catch::Contains("known within 20 %"));
    const Compared same({run_with_tail(1000000)}, {run_with_tail(1000000)});
    CHECK_THAT(text_of(same),
               Catch::Contains("2 rows whose single calls do not differ by more than they are known to"));
    compare::TextOptions options;
    options.all = true;
    CHECK_THAT(text_of(same, options), Catch::Contains("1.0 ms | 1.0 ms | ---- |"));
    const analysis::Profile without = run_of({{"main<init", 1, 10}});
    CHECK_THAT(text_of({{without}, {without}}), !Catch::Contains("Single calls"));

    const std::string csv =
        exports::bytes_of([&](exports::Sink& sink) { write_csv(both.comparison, both.tree, sink); });
    CHECK_THAT(csv, Catch::Contains(",base_timed_calls,new_timed_calls,base_median_call_ns,new_median_call_ns,median_"
                                    "call_difference_ns,base_p90_call_ns,"));
    CHECK_THAT(csv, Catch::Contains(",1000,1000,10000,10000,0,10239,10239,0,1000000,4000000,3000000\n"));
    CHECK_THAT(csv, Catch::Contains("\nmain,") && Catch::Contains(",,,,,,,,,,,\n"));

    const auto failing = [&](const char* condition) {
        return rows_that_fail(compare::Condition(condition), both.comparison, both.names);
    };
    CHECK(failing("new_p99>3ms") == "new_p99>3ms: f (1.0 ms, then 4.0 ms), g (10.0 ms, then 40.0 ms)");
    CHECK(failing("^f$:p99_change>299%") == "^f$:p99_change>299%: f (1.0 ms, then 4.0 ms)");
    CHECK(failing("^f$:median_change>0%") == "");
    CHECK(failing("^main$:new_p99>0ms") == "");
}
