// SPDX-License-Identifier: BSD-3-Clause
#include "compared.hpp"

#include "compare/function_keys.hpp"
#include "symbols/qualified_name.hpp"

#include <catch2/catch.hpp>

using namespace vftr;
using compare::Verdict;
using test::Compared;
using test::run_of;

namespace {

constexpr const char* Nothing = "";

} // namespace

TEST_CASE("functions of different builds match by name, module and source file", "[compare]") {
    using compare::function_key;
    using symbols::qualified;
    CHECK(function_key("f", true) == "f");
    CHECK(function_key(qualified("f", "lib.so{11111111}"), true) ==
          function_key(qualified("f", "lib.so{22222222}"), true));
    CHECK(function_key(qualified("f", "lib.so{11111111}"), true) != function_key(qualified("f", "other.so{1}"), true));
    CHECK(function_key(qualified("omp f:3", "/a/x.c"), true) == function_key(qualified("omp f:3", "/b/x.c"), true));
    SECTION("the program itself has no name, unless there are several") {
        CHECK(function_key(qualified("f", "old{11111111}*"), true) == "f");
        CHECK(function_key(qualified("f", "old{11111111}*"), false) != function_key("f", false));
        CHECK(function_key(qualified("f", "old{11111111}*"), false) ==
              function_key(qualified("f", "old{22222222}*"), false));
    }
    SECTION("a function without a symbol is that of one build-id") {
        CHECK(function_key("lib.so{11111111}+0x10", true) != function_key("lib.so{22222222}+0x10", true));
    }
}

TEST_CASE("a function that only one side has is new or gone", "[compare]") {
    const Compared both({run_of({{"main<init", 1, 10}, {"old<main<init", 3, 5}})},
                        {run_of({{"main<init", 1, 10}, {"fresh<main<init", 9, 5}})});
    CHECK(both.row("old").verdict == Verdict::Gone);
    CHECK(both.row("fresh").verdict == Verdict::New);
    CHECK(both.row("main").verdict != Verdict::New);
    CHECK(both.comparison.count(Verdict::New) == 1);
}

TEST_CASE("a renamed function with the same calls and callees is recognised", "[compare]") {
    const auto base = run_of({{"main<init", 1, 10}, {"solve<main<init", 7, 5}, {"leaf<solve<main<init", 70, 3}});
    const auto next =
        run_of({{"main<init", 1, 10}, {"solve_all<main<init", 7, 6}, {"leaf<solve_all<main<init", 70, 3}});
    const Compared both({base}, {next});
    CHECK(both.remark("solve_all") == "renamed: was solve");
    CHECK(both.row("solve_all").time[compare::Base] == Approx(5e-3));
    CHECK(both.row("solve_all").time[compare::New] == Approx(6e-3));
    CHECK_FALSE(both.has("solve"));
    CHECK(both.row("leaf").verdict != Verdict::New);
    SECTION("in each call path") {
        const Compared paths({base}, {next}, true);
        CHECK(paths.comparison.rows.size() == 3);
        CHECK(paths.row("init;main;solve_all;leaf").runs == compare::PerSide<std::uint32_t>{1, 1});
    }
}

TEST_CASE("what the callees of a renamed function call may have changed", "[compare]") {
    const Compared both({run_of({{"main<init", 1, 1},
                                 {"solve<main<init", 7, 5},
                                 {"leaf<solve<main<init", 70, 3},
                                 {"x<leaf<solve<main<init", 10, 3}})},
                        {run_of({{"main<init", 1, 1},
                                 {"iterate<main<init", 7, 5},
                                 {"leaf<iterate<main<init", 70, 3},
                                 {"y<leaf<iterate<main<init", 12, 3}})});
    CHECK(both.remark("iterate") == "renamed: was solve");
    CHECK(both.row("y").verdict == Verdict::New);
}

TEST_CASE("a renamed function whose callees are renamed, too, is recognised by its shape", "[compare]") {
    const Compared both(
        {run_of({{"main<init", 1, 1}, {"a<main<init", 7, 5}, {"b<a<main<init", 70, 3}, {"c<a<main<init", 71, 3}})},
        {run_of({{"main<init", 1, 1}, {"x<main<init", 7, 5}, {"y<x<main<init", 70, 3}, {"z<x<main<init", 71, 3}})});
    CHECK(both.remark("x") == "renamed: was a");
    CHECK(both.remark("y") == "renamed: was b");
    CHECK(both.remark("z") == "renamed: was c");
}

TEST_CASE("other calls, another module or a name that both sides have are no rename", "[compare]") {
    const auto base = run_of({{"main<init", 1, 1}, {"old<main<init", 7, 5}});
    CHECK(Compared({base}, {run_of({{"main<init", 1, 1}, {"fresh<main<init", 8, 5}})}).has("old"));
    const std::string elsewhere = symbols::qualified("fresh", "lib.so{11111111}") + "<main<init";
    CHECK(Compared({base}, {run_of({{"main<init", 1, 1}, {elsewhere.c_str(), 7, 5}})}).has("old"));
    const Compared known({run_of({{"main<init", 1, 1}, {"old<main<init", 7, 5}, {"fresh<old<main<init", 2, 5}})},
                         {run_of({{"main<init", 1, 1}, {"fresh<main<init", 7, 5}})});
    CHECK(known.row("old").verdict == Verdict::Gone);
    SECTION("nor is what several functions could have become") {
        const Compared several({base}, {run_of({{"main<init", 1, 1}, {"p<main<init", 7, 5}, {"q<main<init", 7, 5}})});
        CHECK(several.row("old").verdict == Verdict::Gone);
        CHECK(several.row("p").verdict == Verdict::New);
    }
    SECTION("nor is a single call of a function that calls nobody, unless the names are alike") {
        const auto one = run_of({{"main<init", 1, 1}, {"read_input<main<init", 1, 5}});
        CHECK(Compared({one}, {run_of({{"main<init", 1, 1}, {"banner<main<init", 1, 5}})}).has("read_input"));
        CHECK_FALSE(
            Compared({one}, {run_of({{"main<init", 1, 1}, {"read_inputs<main<init", 1, 5}})}).has("read_input"));
    }
}

TEST_CASE("a moved subtree is matched with what it was", "[compare]") {
    const auto base = run_of({{"main<init", 1, 1},
                              {"a<main<init", 1, 1},
                              {"b<main<init", 2, 1},
                              {"work<a<main<init", 5, 9},
                              {"leaf<work<a<main<init", 50, 9}});
    const auto next = run_of({{"main<init", 1, 1},
                              {"a<main<init", 1, 1},
                              {"b<main<init", 2, 1},
                              {"work<b<main<init", 5, 9},
                              {"leaf<work<b<main<init", 50, 9}});
    const Compared both({base}, {next}, true);
    CHECK(both.comparison.rows.size() == 5);
    CHECK(both.remark("init;main;b;work") == "moved: was called by a");
    CHECK(both.row("init;main;b;work").matters);
    CHECK(both.row("init;main;b;work;leaf").time[compare::Base] == Approx(9e-3));
    CHECK(both.remark("init;main;b;work;leaf") == Nothing); // it has moved with its caller
}

TEST_CASE("a new layer of calls leaves what is below it matched", "[compare]") {
    const auto flat = run_of({{"main<init", 1, 1}, {"work<main<init", 5, 9}, {"leaf<work<main<init", 50, 9}});
    const auto layered = run_of({{"main<init", 1, 1},
                                 {"wrap<main<init", 2, 0},
                                 {"work<wrap<main<init", 6, 9},
                                 {"leaf<work<wrap<main<init", 60, 9}});
    SECTION("between") {
        const Compared both({flat}, {layered}, true);
        CHECK(both.comparison.rows.size() == 4);
        CHECK(both.row("init;main;wrap").verdict == Verdict::New);
        CHECK(both.remark("init;main;wrap;work") == "moved: was called by main, calls +20.0 %");
        CHECK(both.row("init;main;wrap;work;leaf").runs == compare::PerSide<std::uint32_t>{1, 1});
    }
    SECTION("taken out") {
        const Compared both({layered}, {flat}, true);
        CHECK(both.comparison.rows.size() == 4);
        CHECK(both.row("init;main;wrap").verdict == Verdict::Gone);
        CHECK(both.remark("init;main;work") == "moved: was called by wrap, calls -16.7 %");
    }
}

TEST_CASE("what a new layer of calls has below it may have changed as well", "[compare]") {
    const auto flat = run_of({{"main<init", 1, 1}, {"work<main<init", 5, 9}, {"leaf<work<main<init", 50, 9}});
    const auto layered = run_of({{"main<init", 1, 1},
                                 {"wrap<main<init", 2, 0},
                                 {"work<wrap<main<init", 6, 9},
                                 {"leaf<work<wrap<main<init", 60, 9},
                                 {"extra<work<wrap<main<init", 6, 1}});
    const Compared both({flat}, {layered}, true);
    CHECK(both.remark("init;main;wrap;work") == "moved: was called by main, calls +20.0 %");
    CHECK(both.row("init;main;wrap;work;extra").verdict == Verdict::New);
    CHECK(both.comparison.count(Verdict::Gone) == 0);
}

TEST_CASE("a changed number of calls is certain", "[compare]") {
    const auto run = [](std::uint64_t calls) { return run_of({{"main<init", 1, 1}, {"f<main<init", calls, 5}}); };
    CHECK(Compared({run(10)}, {run(11)}).row("f").calls_changed);
    CHECK(Compared({run(10)}, {run(11)}).remark("f") == "calls +10.0 %");
    CHECK_FALSE(Compared({run(10)}, {run(10)}).row("f").calls_changed);
    CHECK(Compared({run(10), run(10)}, {run(12), run(12)}).row("f").calls_changed);
    CHECK_FALSE(Compared({run(10), run(11)}, {run(12), run(12)}).row("f").calls_changed);
    SECTION("not where it is estimated") {
        auto estimated = run(11);
        estimated.nodes[test::path_index(estimated, "f<main<init")].unseen = 3;
        CHECK_FALSE(Compared({run(10)}, {estimated}).row("f").calls_changed);
    }
}

TEST_CASE("another number of ranks that do the same makes no difference to what matches", "[compare]") {
    const auto job = [](std::int32_t ranks) {
        analysis::Profile all;
        for (std::int32_t rank = 0; rank < ranks; ++rank) {
            analysis::Profile one = test::one_rank(rank);
            test::add(one, "main<init", 1, 10 * test::Ms, 10 * test::Ms);
            test::add(one, (ranks == 2 ? "f<main<init" : "g<main<init"), 3, 20 * test::Ms, 20 * test::Ms);
            analysis::merge(all, one);
        }
        return all;
    };
    CHECK_THROWS_WITH(Compared({job(2)}, {job(4), job(2)}), Catch::Contains("have 4 and 2 ranks"));
    const Compared sums({job(2)}, {job(4)});
    CHECK(sums.remark("g") == "renamed: was f");
    CHECK_FALSE(sums.row("g").calls_changed);
    CHECK(sums.row("g").time == compare::PerSide<double>{0.04, 0.08});
    const auto by = [&](compare::By which) {
        compare::Measure measure;
        measure.by = which;
        return Compared({job(2)}, {job(4)}, false, measure).row("g").time;
    };
    CHECK(by(compare::By::Mean) == compare::PerSide<double>{0.02, 0.02});
    CHECK(by(compare::By::Max) == compare::PerSide<double>{0.02, 0.02});
}

TEST_CASE("trees that are thousands of calls deep are matched", "[compare]") {
    const auto deep = [](const char* top, std::uint32_t depth) {
        analysis::Profile profile = test::one_rank(0);
        std::uint32_t parent = test::path_index(profile, std::string(top) + "<init");
        const std::uint32_t name = test::name_index(profile, "f");
        for (std::uint32_t i = 0; i < depth; ++i) {
            analysis::PathNode node;
            node.parent = parent;
            node.name = name;
            node.calls = 2;
            parent = static_cast<std::uint32_t>(profile.nodes.size());
            profile.nodes.push_back(node);
        }
        return profile;
    };
    constexpr std::uint32_t Depth = 50'000;
    const Compared both({deep("a", Depth)}, {deep("b", Depth)}, true);
    CHECK(both.comparison.rows.size() == Depth);
}
