// SPDX-License-Identifier: BSD-3-Clause
//
// Issue: include/exclude by PCRE2 over names, files or modules.
#include "filter/rules.hpp"

#include "../symbols/fixture.hpp"
#include "record/recorder.hpp"

#include <catch2/catch.hpp>

#include "config.h"

using namespace vftr;
using filter::Rules;
using symbols::test::Fixture;

namespace {

constexpr std::uint64_t Bias = 0x1000000;

// n::fib in first.cpp, other() in second.cpp.
struct Program {
    Fixture fixture;
    std::map<std::string, std::uint64_t> functions;
    symbols::Module module;

    explicit Program(const std::string& flags = "-g") {
        fixture.write("first.cpp", "namespace n { int fib(int x) { return x; } }");
        fixture.write("second.cpp", "int other() { return 1; }");
        REQUIRE(fixture.run("g++ -O0 -shared -fPIC " + flags + " first.cpp second.cpp -o libp.so"));
        functions = fixture.functions("libp.so");
        module = fixture.module("libp.so", Bias);
    }
    std::uint8_t fib(Rules& rules) const { return rules.on(module, Bias + functions.at("_ZN1n3fibEi")).decision; }
    std::uint8_t other(Rules& rules) const { return rules.on(module, Bias + functions.at("_Z5otherv")).decision; }
};

constexpr int Excluded = record::DecisionExcluded;

Rules rules_of(const config::Config& config, bool demangle = true) { return Rules(config, {demangle, false}); }

// Of fib and other.
using Decisions = std::vector<int>;
Decisions decisions(const Program& program, const config::Config& config, bool demangle = true) {
    Rules rules = rules_of(config, demangle);
    return {program.fib(rules), program.other(rules)};
}

} // namespace

TEST_CASE("Without filters all functions are recorded") {
    const Program program;
    CHECK(rules_of({}).trivial());
    CHECK(decisions(program, {}) == Decisions{0, 0});
}

TEST_CASE("Functions are included and excluded by the names that tables show") {
    const Program program;
    config::Config config;
    config.filter_include_functions = "^n::";
    CHECK_FALSE(rules_of(config).trivial());
    CHECK(decisions(program, config) == Decisions{0, Excluded});
    CHECK(decisions(program, config, false) == Decisions{Excluded, Excluded});
    config.filter_exclude_functions = "fib\\(int\\)$";
    CHECK(decisions(program, config) == Decisions{Excluded, Excluded});
}

TEST_CASE("Functions are included and excluded by their modules") {
    const Program program;
    config::Config config;
    config.filter_exclude_modules = "/libp\\.so$";
    CHECK(decisions(program, config) == Decisions{Excluded, Excluded});
    config.filter_exclude_modules = "/libq\\.so$";
    CHECK(decisions(program, config) == Decisions{0, 0});
    config = {};
    config.filter_include_modules = "/libp\\.so$";
    CHECK(decisions(program, config) == Decisions{0, 0});
}

#ifdef HAVE_LIBDW
TEST_CASE("Functions are included and excluded by their source files") {
    const Program program;
    config::Config config;
    config.filter_exclude_files = "/second\\.cpp$";
    CHECK(decisions(program, config) == Decisions{0, Excluded});
    Rules exclude = rules_of(config);
    program.other(exclude);
    CHECK_FALSE(exclude.without_files());
    config = {};
    config.filter_include_files = "/second\\.cpp$";
    CHECK(decisions(program, config) == Decisions{Excluded, 0});
}
#endif

TEST_CASE("Without debug information a filter by files matches nothing, and that is told once") {
    const Program program("-g0");
    config::Config config;
    config.filter_exclude_files = "";
    Rules exclude = rules_of(config);
    CHECK(program.fib(exclude) == 0);
    CHECK(exclude.without_files() == program.module.path);
    CHECK(program.other(exclude) == 0);
    CHECK_FALSE(exclude.without_files());
    config = {};
    config.filter_include_files = ".";
    CHECK(decisions(program, config) == Decisions{Excluded, Excluded});
}

TEST_CASE("One of several includes suffices, and so does one of several excludes") {
    const Program program;
    config::Config config;
    config.filter_include_functions = "other";
    config.filter_include_modules = "nowhere";
    CHECK(decisions(program, config) == Decisions{Excluded, 0});
    config = {};
    config.filter_exclude_functions = "other";
    config.filter_exclude_modules = "nowhere";
    CHECK(decisions(program, config) == Decisions{0, Excluded});
}

TEST_CASE("Precise functions are matched by the name that is shown, while there is a timeline; exclude is stronger") {
    const Program program;
    config::Config config;
    config.sampling_active = true;
    config.sampling_precise_functions = "^n::fib";
    CHECK(decisions(program, config) == Decisions{record::DecisionPrecise, 0});
    CHECK(decisions(program, config, false) == Decisions{0, 0});
    config.filter_exclude_functions = "fib";
    CHECK(decisions(program, config)[0] & Excluded);
    config = {};
    config.sampling_precise_functions = "^n::fib";
    CHECK(rules_of(config).trivial());
    config.sampling_active = true;
    config.sampling_precise_functions = "fib(";
    CHECK(decisions(program, config) == Decisions{0, 0});
}

namespace {

// "option=matched" of each expression, of fib alone.
std::string matches_of_fib(const Program& program, const config::Config& config,
                           const filter::Rules* forked_from = nullptr) {
    Rules rules(config, {true, false}, {}, forked_from);
    program.fib(rules);
    std::string text;
    for (const vfd::ExpressionUse& use : rules.matches_so_far())
        text += use.rule.substr(use.rule.find('.') + 1) + '=' + std::to_string(use.uses) + ' ';
    return text;
}

} // namespace

TEST_CASE("Of each expression it is known whether it has matched, also where another one has decided") {
    const Program program;
    config::Config config;
    config.filter_include_functions = "^other";
    config.filter_include_modules = "libp";
    config.filter_exclude_functions = "fib";
    config.filter_exclude_modules = "nowhere";
    CHECK(matches_of_fib(program, config) ==
          "include.functions=0 include.modules=1 exclude.functions=1 exclude.modules=0 ");
    config.filter_include_modules = "nowhere"; // fib is not included
    CHECK(matches_of_fib(program, config) ==
          "include.functions=0 include.modules=0 exclude.functions=1 exclude.modules=0 ");
    config.filter_triggers = {{"fib", 1, "stop"}};
    CHECK(matches_of_fib(program, config) ==
          "include.functions=0 include.modules=0 exclude.functions=1 exclude.modules=0 ");
}

TEST_CASE("Without a function that is judged nothing is known of expressions") {
    config::Config config;
    config.filter_exclude_functions = "fib";
    CHECK(rules_of(config).matches_so_far().empty());
    CHECK_FALSE(rules_of(config).judged());
}

TEST_CASE("Of an expression about files nothing is known without debug information, or where it was not asked") {
    config::Config config;
    config.filter_exclude_files = "nowhere";
    CHECK(matches_of_fib(Program("-g0"), config).empty());
    const Program program;
    config.filter_exclude_functions = "fib"; // decides
    CHECK(matches_of_fib(program, config) == "exclude.functions=1 ");
#ifdef HAVE_LIBDW
    config.filter_exclude_functions = "other";
    CHECK(matches_of_fib(program, config) == "exclude.functions=0 exclude.files=0 ");
#endif
}

TEST_CASE("Of an expression that takes too long it is not known whether it matches") {
    const Program program;
    config::Config config;
    config.filter_exclude_functions = "^(((([a-z:()]+)+)+)+)+[0-9]$";
    config.filter_exclude_modules = "libp";
    Rules rules = rules_of(config);
    program.fib(rules);
    CHECK(rules.given_up_on());
    CHECK(matches_of_fib(program, config) == "exclude.modules=1 ");
}

TEST_CASE("In a forked child what has matched in its parent has matched") {
    const Program program;
    config::Config config;
    config.filter_exclude_functions = "other";
    Rules parent = rules_of(config);
    program.other(parent);
    CHECK(matches_of_fib(program, config) == "exclude.functions=0 ");
    CHECK(matches_of_fib(program, config, &parent) == "exclude.functions=1 ");
}

TEST_CASE("The functions of triggers are recorded whatever excludes them") {
    const Program program;
    config::Config config;
    config.filter_triggers = {{"other", 1, "start"}, {"fib", 2, "stop"}, {"^other", 3, "stop"}};
    config.filter_exclude_functions = "";
    Rules rules = rules_of(config);
    CHECK(program.other(rules) == record::DecisionTrigger);
    CHECK(rules.on(program.module, Bias + program.functions.at("_Z5otherv")).triggers ==
          std::vector<std::uint32_t>{0, 2});
}

TEST_CASE("Expressions that come while the process runs are stronger than the configuration, and the latest decides") {
    const Program program;
    config::Config config;
    config.filter_exclude_functions = "other";
    Rules rules = rules_of(config);
    CHECK(rules.add("^n::fib", true).empty());
    CHECK(program.fib(rules) == Excluded);
    CHECK(program.other(rules) == Excluded);
    CHECK(rules.add("^other", false).empty());
    CHECK(program.other(rules) == 0);
    CHECK(rules.add("fib|other", true).empty());
    CHECK(program.other(rules) == Excluded);
    CHECK(rules.add("fib", false).empty());
    CHECK(program.fib(rules) == 0);
    CHECK(program.other(rules) == Excluded);

    Rules child(config, {true, false}, {}, &rules);
    CHECK(program.fib(child) == 0);
    CHECK(program.other(child) == Excluded);
}

TEST_CASE("A filter that comes while the process runs needs none in the configuration") {
    const Program program;
    Rules rules = rules_of({});
    CHECK(rules.trivial());
    CHECK(rules.add("(", true).starts_with("no valid regular expression: "));
    CHECK(rules.trivial());
    CHECK(rules.add("fib", true).empty());
    CHECK_FALSE(rules.trivial());
    CHECK(rules.excludes());
    CHECK(program.fib(rules) == Excluded);
    CHECK(program.other(rules) == 0);
}
