// SPDX-License-Identifier: BSD-3-Clause
#include "compared.hpp"

#include "compare/comparison_text.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

using namespace vftr;
using compare::Verdict;
using test::Compared;
using test::run_of;

namespace {

// Runs whose f takes these times beside a main of 100 ms.
std::vector<analysis::Profile> runs_of_f(const std::vector<double>& ms) {
    std::vector<analysis::Profile> runs;
    for (const double each : ms)
        runs.push_back(run_of({{"main<init", 1, 100}, {"f<main<init", 10, each}}));
    return runs;
}

Compared in_pairs(const std::vector<double>& base, const std::vector<double>& next) {
    compare::Judging judging;
    judging.paired = true;
    return Compared(runs_of_f(base), runs_of_f(next), false, {}, judging);
}

const std::vector<double> Around100{100, 101, 99, 100.5, 99.5, 100.2}, Around110{110, 111, 109, 110.5, 109.5, 110.2};

std::string written(const Compared& both,
                    void (*write)(const compare::Comparison&, const compare::CombinedTree&, exports::Sink&)) {
    std::string text;
    exports::Sink sink([&text](std::span<const std::byte> bytes) {
        text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return true;
    });
    write(both.comparison, both.tree, sink);
    sink.flush();
    return text;
}

} // namespace

TEST_CASE("several runs find a change that one run each leaves open", "[compare]") {
    CHECK(Compared(runs_of_f(Around100), runs_of_f(Around110)).row("f").verdict == Verdict::Slower);
    CHECK(Compared(runs_of_f(Around110), runs_of_f(Around100)).row("f").verdict == Verdict::Faster);
    CHECK(Compared(runs_of_f({100}), runs_of_f({110})).row("f").verdict == Verdict::NotKnown);
    CHECK(Compared(runs_of_f({100}), runs_of_f({400})).row("f").verdict == Verdict::Slower);
    SECTION("two runs a side, by Welch") {
        CHECK(Compared(runs_of_f({100, 100.01}), runs_of_f({110, 110.01})).row("f").verdict == Verdict::Slower);
    }
    SECTION("its caller is blameless") {
        const Compared both(runs_of_f(Around100), runs_of_f(Around110));
        CHECK(both.comparison.count(Verdict::Slower) == 1);
    }
}

TEST_CASE("what is the same is said to be the same only where that is known", "[compare]") {
    CHECK(Compared(runs_of_f(Around100), runs_of_f(Around100)).row("f").verdict == Verdict::Same);
    CHECK(Compared(runs_of_f({60, 140, 100, 80, 120}), runs_of_f({61, 139, 101, 81, 119})).row("f").verdict ==
          Verdict::NotKnown);
    CHECK(Compared(runs_of_f({100}), runs_of_f({100})).row("f").verdict == Verdict::NotKnown);
}

TEST_CASE("a run that is slower as a whole blames no function", "[compare]") {
    const auto run = [](double factor, double of_e) {
        return run_of({{"main<init", 1, 50 * factor},
                       {"c<main<init", 1, 100 * factor},
                       {"d<main<init", 1, 150 * factor},
                       {"e<main<init", 1, 200 * factor * of_e}});
    };
    CHECK(Compared({run(1, 1)}, {run(5, 1)}).comparison.count(Verdict::Slower) == 0);
    const Compared with_one({run(1, 1)}, {run(5, 8)});
    CHECK(with_one.row("e").verdict == Verdict::Slower);
    CHECK(with_one.comparison.count(Verdict::Slower) == 1);
    CHECK(Compared({run(1, 1)}, {run(1, 8)}).row("e").verdict == Verdict::Slower);
}

TEST_CASE("one run is compared with the scatter of several", "[compare]") {
    CHECK(Compared(runs_of_f(Around100), runs_of_f({110})).row("f").verdict == Verdict::Slower);
    CHECK(Compared(runs_of_f({110}), runs_of_f(Around100)).row("f").verdict == Verdict::Faster);
    CHECK(Compared(runs_of_f(Around100), runs_of_f({101})).row("f").verdict == Verdict::NotKnown);
}

TEST_CASE("one disturbed run does not hide a change", "[compare]") {
    std::vector<double> base = Around100, next = Around110;
    for (const double ms : {100.1, 99.9, 100.3, 99.7})
        base.push_back(ms);
    for (const double ms : {110.1, 109.9, 110.3, 400.0})
        next.push_back(ms);
    CHECK(Compared(runs_of_f(base), runs_of_f(next)).row("f").verdict == Verdict::Slower);
}

TEST_CASE("what both runs of a pair have in common is no noise", "[compare]") {
    const std::vector<double> base{50, 200, 120, 90}, next{55, 221, 131, 99};
    CHECK(Compared(runs_of_f(base), runs_of_f(next)).row("f").verdict == Verdict::NotKnown);
    const Compared both = in_pairs(base, next);
    CHECK(both.row("f").verdict == Verdict::Slower);
    CHECK(both.row("f").interval->ratio == Approx(1.099).epsilon(0.002));
    CHECK(both.row("f").time[compare::Base] == Approx(0.115)); // the mean
    CHECK(both.comparison.count(Verdict::Slower) == 1);
    CHECK(compare::answer(both.comparison).find("; 4 pairs of runs)") != std::string::npos);
    SECTION("most pairs have to agree") {
        const std::vector<double> ten(10, 100);
        CHECK(in_pairs(ten, {109, 111, 110, 112, 109, 111, 110, 112, 50, 110}).row("f").verdict == Verdict::Slower);
        // The mean of eight pairs is certain, too, but two of ten that are faster are no rare chance.
        CHECK(in_pairs(ten, {109, 111, 110, 112, 109, 111, 110, 112, 50, 99.9}).row("f").verdict == Verdict::NotKnown);
    }
}

TEST_CASE("runs of which one has no time in a function, and one pair alone, are compared as runs without pairs",
          "[compare]") {
    const std::vector<double> base{100, 0, 100, 101}, next{110, 111, 112, 109};
    const Compared both = in_pairs(base, next), apart(runs_of_f(base), runs_of_f(next));
    CHECK(both.row("f").interval->high == apart.row("f").interval->high);
    CHECK(in_pairs({100}, {400}).row("f").interval->high ==
          Compared(runs_of_f({100}), runs_of_f({400})).row("f").interval->high);
    CHECK_FALSE(in_pairs({100}, {400}).comparison.paired);
}

TEST_CASE("ranks have to agree with means", "[compare]") {
    const std::vector<double> base{100, 100.1, 100.2, 100.3, 115}, next{110, 110.1, 110.2, 110.3, 95};
    const Compared both(runs_of_f(base), runs_of_f(next));
    CHECK(both.row("f").interval->low > 1);
    CHECK(both.row("f").verdict == Verdict::NotKnown);
}

TEST_CASE("a difference below the error of the hooks is no finding", "[compare]") {
    const auto with_unknown = [](const std::vector<double>& ms, std::uint64_t unknown) {
        std::vector<analysis::Profile> runs = runs_of_f(ms);
        for (analysis::Profile& run : runs)
            run.nodes[test::path_index(run, "f<main<init")].unknown = unknown * test::Ms;
        return runs;
    };
    CHECK(Compared(with_unknown(Around100, 3), with_unknown(Around110, 3)).row("f").verdict == Verdict::Slower);
    const Compared unsure(with_unknown(Around100, 30), with_unknown(Around110, 30));
    CHECK(unsure.row("f").verdict == Verdict::NotKnown);
    CHECK(unsure.row("f").interval->low < 0.8);
}

TEST_CASE("estimated times and differing ranks make one run less certain", "[compare]") {
    const compare::Judging certain{0};
    const auto verdict = [&](const std::function<void(analysis::Profile&, std::uint32_t)>& change) {
        compare::Runs runs{runs_of_f({100}), runs_of_f({110})};
        for (auto& side : runs)
            change(side.front(), test::path_index(side.front(), "f<main<init"));
        return Compared(runs[compare::Base], runs[compare::New], false, {}, certain).row("f").verdict;
    };
    CHECK(verdict([](auto&, std::uint32_t) {}) == Verdict::Slower);
    CHECK(verdict([](auto& run, std::uint32_t f) { run.nodes[f].variance = 25'000'000; }) == Verdict::NotKnown); // 5 ms
    CHECK(verdict([](auto& run, std::uint32_t f) {
              run.rank_count = 2;
              run.extremes.resize(run.nodes.size());
              run.extremes[f].exclusive = {40 * test::Ms, 60 * test::Ms, 0, 1};
          }) == Verdict::NotKnown);
}

TEST_CASE("rows with little time are not tested", "[compare]") {
    std::vector<analysis::Profile> base, next;
    for (int i = 0; i < 6; ++i) {
        base.push_back(run_of({{"main<init", 1, 1000}, {"tiny<main<init", 1, 0.010 + i * 1e-5}}));
        next.push_back(run_of({{"main<init", 1, 1000}, {"tiny<main<init", 1, 0.020 + i * 1e-5}}));
    }
    CHECK(Compared(base, next).row("tiny").verdict == Verdict::Same);
}

TEST_CASE("times are divided by those of the application or by calls", "[compare]") {
    const std::vector<analysis::Profile> base = runs_of_f({100}), next = runs_of_f({300});
    compare::Measure measure;
    measure.divisor = compare::Divisor::ApplicationTime;
    const Compared percent(base, next, false, measure);
    CHECK(percent.comparison.unit == "%");
    CHECK(percent.row("f").time[compare::Base] == Approx(50));
    CHECK(percent.row("f").time[compare::New] == Approx(75));
    const symbols::Pattern pattern("^f$"), none("^nobody$");
    measure.divisor = compare::Divisor::Calls;
    measure.calls_of = &pattern;
    CHECK(Compared(base, next, false, measure).row("main").time[compare::New] == Approx(10000)); // µs per call of f
    measure.calls_of = &none;
    CHECK_THROWS_WITH(Compared(base, next, false, measure), Catch::Contains("no calls of such a function"));
}

TEST_CASE("the text begins with the answer, and shows rows that matter", "[compare]") {
    const Compared both(runs_of_f(Around100), runs_of_f(Around110));
    compare::TextOptions options;
    const std::string text = comparison_text(both.comparison, both.tree, options);
    CHECK_THAT(text, Catch::StartsWith("New is 5.0 % slower: 0.200 s, then 0.210 s (ratio 1.050, 95 % interval "));
    CHECK_THAT(text, Catch::Contains("6 runs each). Of 2 functions 1 slower, 0 faster, 1 same, 0 not known\n"));
    CHECK_THAT(text, Catch::Contains(" slower |        f |"));
    CHECK_THAT(text, !Catch::Contains("     main |"));
    CHECK_THAT(text, Catch::Contains("1 row without a finding (--all)\n"));
    options.all = true;
    CHECK_THAT(comparison_text(both.comparison, both.tree, options), Catch::Contains("     main |"));
    options.max_rows = 1;
    CHECK_THAT(comparison_text(both.comparison, both.tree, options), Catch::Contains("1 more rows that matter"));
    SECTION("one run each says what it cannot tell") {
        const Compared single(runs_of_f({100}), runs_of_f({110}));
        CHECK_THAT(comparison_text(single.comparison, single.tree, {}),
                   Catch::StartsWith("It is not known whether new is slower or faster") &&
                       Catch::Contains("up to a factor of 2.00 is taken for chance (--noise)"));
    }
}

TEST_CASE("folded stacks have the nanoseconds of both sides", "[compare]") {
    const Compared both({run_of({{"main<init", 1, 1}, {"f;g<main<init", 1, 2}, {"old<main<init", 5, 3}})},
                        {run_of({{"main<init", 1, 1}, {"f;g<main<init", 1, 4}})}, true);
    CHECK(written(both, compare::write_folded) ==
          "init;main 1000000 1000000\ninit;main;f,g 2000000 4000000\ninit;main;old 3000000 0\n");
}

TEST_CASE("comma-separated values have one row each", "[compare]") {
    const Compared both({run_of({{"main<init", 1, 1}, {"f(int, int)<main<init", 2, 3}})},
                        {run_of({{"main<init", 1, 1}, {"f(int, int)<main<init", 4, 3}})});
    const std::string text = written(both, compare::write_csv);
    CHECK_THAT(text, Catch::StartsWith("function,base,new,difference,ratio,"));
    CHECK_THAT(text, Catch::Contains("\n\"f(int, int)\",0.003,0.003,0,1,"));
    CHECK_THAT(text, Catch::Contains(",2,2,4,4,1,"));
}

TEST_CASE("runs that were killed and ranks that are not there are told", "[compare]") {
    const analysis::Profile whole = run_of({{"main<init", 1, 100}});
    analysis::Profile killed = whole, lacking = whole;
    killed.summary.unfinished = 1;
    lacking.missing_ranks.add(3);
    const auto text_of = [](const Compared& both) { return comparison_text(both.comparison, both.tree, {}); };
    CHECK_THAT(text_of({{whole}, {killed}}), Catch::Contains("\nNew: 1 recording was not closed"));
    CHECK_THAT(text_of({{killed, whole, killed}, {whole}}), Catch::Contains("\nBase, 2 of 3 runs: 1 recording was"));
    CHECK_THAT(text_of({{lacking}, {whole}}), Catch::Contains("\nBase: rank 3 is missing in this profile"));
    CHECK(Compared({whole}, {whole}).comparison.incomplete.empty());
}

TEST_CASE("a function that is gone where its caller became slower is perhaps inlined there", "[compare]") {
    const analysis::Profile apart = run_of(
        {{"main<init", 1, 10}, {"f<main<init", 4, 20}, {"part<f<main<init", 4, 900}, {"tiny<f<main<init", 4, 1}});
    const analysis::Profile inlined = run_of({{"main<init", 1, 10}, {"f<main<init", 4, 925}});
    CHECK(Compared({apart}, {inlined}).remark("f") == "perhaps has part inlined");
    CHECK(Compared({inlined}, {apart}).remark("f") == "perhaps had part inlined");
    CHECK(Compared({apart}, {inlined}, true).remark("init;main;f") == "perhaps has part inlined");
    // What is gone had too little of the time.
    const analysis::Profile slower = run_of({{"main<init", 1, 10}, {"f<main<init", 4, 9000}});
    CHECK(Compared({apart}, {slower}).remark("f") == "");
    CHECK(Compared({apart}, {apart}).remark("f") == "");
}
