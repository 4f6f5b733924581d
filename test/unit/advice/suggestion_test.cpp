// SPDX-License-Identifier: BSD-3-Clause
#include "advice/suggestion.hpp"

#include "../analysis/profile_builder.hpp"

#include <catch2/catch.hpp>

using namespace vftr;
using namespace vftr::advice;
using test::Ms;

namespace {

// What the hooks took is known to a third.
void add(analysis::Profile& profile, std::string_view path, std::uint64_t calls, std::uint64_t own_ns,
         std::uint64_t hooks_ns) {
    test::add(profile, path, calls, own_ns, own_ns);
    analysis::PathNode& node = profile.nodes[test::path_index(profile, path)];
    node.overhead = hooks_ns;
    node.unknown = hooks_ns / 3;
}

// 1000 ms of its own, 20 ns for a pair of hooks.
analysis::Profile solver() {
    analysis::Profile profile = test::one_rank(0);
    add(profile, "main<init", 1, 430 * Ms, 0);
    add(profile, "solve<main<init", 1000, 500 * Ms, 0);
    add(profile, "get<solve<main<init", 3000000, 20 * Ms, 60 * Ms);
    add(profile, "get<main<init", 1000000, 10 * Ms, 20 * Ms);
    add(profile, "set<solve<main<init", 1000000, 10 * Ms, 20 * Ms);
    add(profile, "work<main<init", 100000, 30 * Ms, 2 * Ms);
    return profile;
}

const CallCosts Costs{20, 1, 0.5};

Decision decision_on(const Observed& observed, const Suggestion& suggestion, std::string_view name) {
    for (std::size_t i = 0; i < observed.functions.size(); ++i)
        if (observed.functions[i].name == name)
            return suggestion.decisions[i];
    throw std::logic_error("there is no such function");
}

} // namespace

TEST_CASE("Functions are their paths together, the dearest first") {
    const Observed observed = observe(solver());
    REQUIRE(observed.functions.size() == 5);
    CHECK(observed.functions[0].name == "get");
    CHECK(observed.functions[0].calls == 4000000);
    CHECK(observed.functions[0].own_per_call() == Approx(7.5));
    CHECK(observed.functions[0].hooks_per_call() == Approx(20));
    CHECK(observed.functions[1].name == "set");
    CHECK(observed.overhead() == Approx(10.2));
}

TEST_CASE("The fewest functions are left out that bring the hooks below the bound") {
    const Observed observed = observe(solver());
    Suggestion suggestion = suggest(observed, Costs, {});
    CHECK(suggestion.excluded == 2);
    CHECK(decision_on(observed, suggestion, "get") == Decision::Excluded);
    CHECK(decision_on(observed, suggestion, "set") == Decision::Excluded);
    CHECK(decision_on(observed, suggestion, "work") == Decision::Recorded);
    CHECK(suggestion.reached);
    CHECK(suggestion.now.overhead == Approx(10.2));
    CHECK(suggestion.filtered.overhead == Approx(0.7)); // the look at each excluded call
    CHECK(suggestion.removed.overhead == Approx(0.2));

    suggestion = suggest(observed, Costs, {.max_overhead = 3});
    CHECK(suggestion.excluded == 1);
    suggestion = suggest(observed, Costs, {.max_overhead = 11});
    CHECK(suggestion.excluded == 0);
    CHECK(suggestion.reached);
}

TEST_CASE("A name that means functions of other files, too, is not left out") {
    analysis::Profile profile = solver();
    add(profile, "step<main<init", 10000000, 40 * Ms, 200 * Ms);
    add(profile, "step (a.c)<main<init", 10000000, 40 * Ms, 200 * Ms);
    add(profile, "step (b.c)<main<init", 10, 40 * Ms, 0);
    const Observed observed = observe(profile);
    CHECK_FALSE(observed.has_cxx());
    for (const bool aggressive : {false, true}) {
        const Suggestion suggestion = suggest(observed, Costs, {.aggressive = aggressive});
        CHECK(decision_on(observed, suggestion, "step") == Decision::SharedName);
        CHECK(decision_on(observed, suggestion, "step (a.c)") == Decision::Excluded);
        CHECK(decision_on(observed, suggestion, "step (b.c)") == Decision::Recorded);
    }
}

TEST_CASE("What tells more than it costs stays, and aggressively only main and precise functions") {
    analysis::Profile profile = solver();
    add(profile, "hot<main<init", 100000000, 600 * Ms, 850 * Ms);
    add(profile, "getter<main<init", 100000000, 600 * Ms, 2000 * Ms); // nobody knows what it takes without its hooks
    add(profile, "long<main<init", 3000000, 75 * Ms, 60 * Ms);
    add(profile, "wanted<main<init", 9000000, 10 * Ms, 180 * Ms);
    profile.nodes.back().precise = true;
    const Observed observed = observe(profile);
    Suggestion suggestion = suggest(observed, Costs, {});
    CHECK_FALSE(suggestion.reached);
    CHECK(decision_on(observed, suggestion, "hot") == Decision::LargeShare);
    CHECK(decision_on(observed, suggestion, "getter") == Decision::Excluded);
    CHECK(decision_on(observed, suggestion, "long") == Decision::LongCalls);
    CHECK(decision_on(observed, suggestion, "wanted") == Decision::Precise);
    CHECK(decision_on(observed, suggestion, "get") == Decision::Excluded);
    CHECK(decision_on(observed, suggestion, "main") == Decision::Recorded);

    profile.nodes[test::path_index(profile, "getter<main<init")].unknown = 100 * Ms; // as samples tell
    const Observed sampled = observe(profile);
    CHECK(decision_on(sampled, suggest(sampled, Costs, {}), "getter") == Decision::LargeShare);

    suggestion = suggest(observed, Costs, {.keep_share = 50});
    CHECK(decision_on(observed, suggestion, "hot") == Decision::Excluded);
    suggestion = suggest(observed, Costs, {.aggressive = true});
    CHECK(decision_on(observed, suggestion, "hot") == Decision::Excluded);
    CHECK(decision_on(observed, suggestion, "long") == Decision::Excluded);
    CHECK(decision_on(observed, suggestion, "wanted") == Decision::Precise);
}

TEST_CASE("MPI functions and regions stay, and count among the events") {
    analysis::Profile profile = solver();
    add(profile, "MPI_Wait<main<init", 1000000, 1 * Ms, 900 * Ms);
    profile.nodes.back().kind = analysis::NodeKind::Mpi;
    const Observed observed = observe(profile);
    CHECK(observed.functions.size() == 5);
    const Suggestion suggestion = suggest(observed, Costs, {.aggressive = true});
    CHECK_FALSE(suggestion.reached);
    CHECK(suggestion.now.trace.events == 2 * (5101001 + 1000000));
    CHECK(suggestion.filtered.trace.events >= 2 * 1000000);
}

TEST_CASE("Percentages are of the time in which the program's own functions ran") {
    analysis::Profile profile = solver();
    add(profile, "MPI_Wait<main<init", 1000, 9000 * Ms, 0);
    profile.nodes.back().kind = analysis::NodeKind::Mpi;
    add(profile, "omp implicit barrier solve:3<solve<main<init", 1000, 8000 * Ms, 0);
    profile.nodes.back().kind = analysis::NodeKind::OpenMp;
    add(profile, "omp idle<init", 3, 7000 * Ms, 0);
    profile.nodes.back().kind = analysis::NodeKind::OpenMp;
    CHECK(observe(profile).overhead() == Approx(10.2));
    add(profile, "omp for solve:3<solve<main<init", 1000, 1000 * Ms, 0);
    profile.nodes.back().kind = analysis::NodeKind::OpenMp;
    CHECK(observe(profile).overhead() == Approx(5.1));
}

TEST_CASE("Who slept has no CPU time that others' shares would be of") {
    analysis::Profile profile = solver();
    add(profile, "sleeper<main<init", 1, 9000 * Ms, 0);
    for (analysis::PathNode& node : profile.nodes)
        node.raw_exclusive = node.exclusive;
    profile.nodes[test::path_index(profile, "solve<main<init")].raw_exclusive += 102 * Ms;
    CHECK(observe(profile).overhead() == Approx(1.02));
    profile.summary.cpu = (1000 + 102) * Ms;
    const Observed observed = observe(profile);
    CHECK(observed.cpu_known);
    CHECK(observed.overhead() == Approx(10.2));
    for (const Function& function : observed.functions)
        CHECK(observed.share(function) == Approx(function.name == "sleeper" ? 100 : function.own / (10 * Ms)));
    CHECK(decision_on(observed, suggest(observed, Costs, {}), "get") == Decision::Excluded);

    profile.summary.recovered = 1; // who knows how much of it came after the latest look at the clock
    CHECK_FALSE(observe(profile).cpu_known);
    CHECK(observe(profile).overhead() == Approx(1.02));
}

TEST_CASE("Functions can be left out for the number of events") {
    const Observed observed = observe(solver());
    const Suggestion suggestion = suggest(observed, Costs, {.max_overhead = 100, .max_events = 2500000});
    CHECK(suggestion.excluded == 1);
    CHECK(suggestion.filtered.trace.events == 2 * (1000000 + 100000 + 1000 + 1));
    CHECK(suggest(observed, Costs, {.max_functions = 1}).excluded == 1);
}

// With adaptive timing a call that is counted costs as little as a look at one that is not recorded.
TEST_CASE("A function whose calls are only counted is left out for what it saves without its hooks") {
    analysis::Profile profile = test::one_rank(0);
    add(profile, "main<init", 1, 900 * Ms, 0);
    add(profile, "tiny<main<init", 100000000, 40 * Ms, 300 * Ms);
    const Observed observed = observe(profile);
    const Suggestion suggestion = suggest(observed, {20, 3, 0.5}, {});
    CHECK(decision_on(observed, suggestion, "tiny") == Decision::Excluded);
    CHECK_FALSE(suggestion.reached);
    CHECK(suggestion.filtered.overhead == Approx(suggestion.now.overhead));
    CHECK(suggestion.removed.overhead == Approx(0).margin(0.001));
}

TEST_CASE("A function that is called seldom is not left out") {
    analysis::Profile profile = solver();
    add(profile, "begin<main<init", 3, 10, 60);
    const Observed observed = observe(profile);
    const Suggestion suggestion = suggest(observed, Costs, {.max_overhead = 0});
    CHECK(decision_on(observed, suggestion, "begin") == Decision::Recorded);
    CHECK_FALSE(suggestion.reached);
}

TEST_CASE("The size of a timeline follows from the gaps between the events") {
    analysis::Profile profile = test::one_rank(0);
    add(profile, "main<init", 1, 100 * 1000, 0);
    add(profile, "f<main<init", 1000, 4 * 1000, 0);
    const Observed observed = observe(profile);
    // Units of 8 ns. A leave of f comes 14 ns after its enter, one byte; its enter in main after 110 ns: more than half
    // of these take two.
    const CallCosts costs{20, 1, 1};
    TraceSize size = trace_size(observed, {false, false}, costs);
    CHECK(size.events == 2002);
    CHECK(size.bytes == Approx(1000 * (1 + 1.56)).epsilon(0.05));
    const std::vector<bool> without_f{observed.functions[0].name == "f", observed.functions[1].name == "f"};
    size = trace_size(observed, without_f, costs);
    CHECK(size.events == 2);
    CHECK(size.bytes > 3); // the gap in main is longer now
    CHECK(size.bytes < 10);
}

TEST_CASE("An enter of a caller's tenth callee and more takes a byte more") {
    analysis::Profile profile = test::one_rank(0);
    add(profile, "main<init", 1, 0, 0);
    for (const char* path : {"a<main<init", "b<main<init", "c<main<init", "d<main<init", "e<main<init", "f<main<init",
                             "g<main<init", "h<main<init", "i<main<init"})
        add(profile, path, 1000, 1000, 0);
    const double nine = trace_size(observe(profile), std::vector<bool>(10), {2, 1, 1}).bytes;
    CHECK(nine == Approx(9 * 2000).epsilon(0.05));
    add(profile, "j<main<init", 1000, 1000, 0);
    CHECK(trace_size(observe(profile), std::vector<bool>(11), {2, 1, 1}).bytes == Approx(nine + 3000).epsilon(0.03));
}
