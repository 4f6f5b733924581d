// SPDX-License-Identifier: BSD-3-Clause
#include "config/config.hpp"
#include "config/formula.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace vftr::config;

namespace {

const std::vector<std::string> Names = {"T", "CALLS", "cyc", "l1_miss"};
const std::vector<double> Values = {2.0, 10.0, 3000.0, 7.0};

double value(std::string_view text) {
    Formula::Fault fault;
    auto formula = Formula::compile(text, Names, &fault);
    INFO(text << ": " << fault.message);
    REQUIRE(formula);
    return formula->evaluate(Values);
}

std::pair<std::size_t, std::string> fault(std::string_view text) {
    Formula::Fault found{99, ""};
    INFO(text);
    CHECK_FALSE(Formula::compile(text, Names, &found));
    return {found.offset, found.message};
}

// A config with one observable, and with the counters `cyc` and `l1_miss`.
Loaded with_formula(const std::string& formula) {
    return parse(
        R"({"hwprof": {"counters": [{"hwc_name": "a", "symbol": "cyc"}, {"hwc_name": "b", "symbol": "l1_miss"}],
"observables": [{"name": "o", "formula": ")" +
            formula + R"("}]}})",
        "c.json");
}

Problem only_error(const Loaded& loaded) {
    for (const Problem& problem : loaded.problems)
        UNSCOPED_INFO(to_text(problem));
    REQUIRE(loaded.problems.size() == 1);
    CHECK(loaded.problems[0].severity == Problem::Severity::Error);
    return loaded.problems[0];
}

} // namespace

TEST_CASE("Formulas follow the rules of arithmetic") {
    CHECK(value("1 + 2 * 3") == 7);
    CHECK(value("(1 + 2) * 3") == 9);
    CHECK(value("10 - 3 - 2") == 5);
    CHECK(value("24 / 4 / 2") == 3);
    CHECK(value("7 % 4") == 3);
    CHECK(value("2 ^ 3 ^ 2") == 512);
    CHECK(value("-2 ^ 2") == -4);
    CHECK(value("2 ^ -1") == 0.5);
    CHECK(value("2 * -3") == -6);
    CHECK(value("-2 * 3 + 10") == 4);
    CHECK(value("- - +2") == 2);
    CHECK(value("1.5e3 + .5") == 1500.5);
}

TEST_CASE("Formulas know symbols, T, CALLS and functions") {
    CHECK(value("cyc / T * 1e-3") == 1.5);
    CHECK(value("l1_miss/CALLS") == 0.7);
    CHECK(value("max(cyc, 5000) + min(1, 2) + sqrt(16) + abs(-1)") == 5006);
    CHECK(value("pow(2, 10) + floor(1.5) + ceil(1.5) + ln(exp(2)) + log10(100)") == 1031);
    CHECK(std::isinf(value("1 / 0")));
}

TEST_CASE("A bad formula says what is wrong and where") {
    using Fault = std::pair<std::size_t, std::string>;
    CHECK(fault("") == Fault{0, "a number or a name is missing here"});
    CHECK(fault("1 +") == Fault{3, "a number or a name is missing here"});
    CHECK(fault("* 2") == Fault{0, "a number or a name is missing here"});
    CHECK(fault("cyc T") == Fault{4, "an operator is missing before this"});
    CHECK(fault("(1 + 2") == Fault{6, "a closing bracket is missing here"});
    CHECK(fault("1 + 2)") == Fault{5, "this bracket closes nothing"});
    CHECK(fault("cyc / t") == Fault{6, "\"t\" is no symbol of a counter"});
    CHECK(fault("max(1)") == Fault{5, "a comma and another argument are missing here"});
    CHECK(fault("sqrt 2") == Fault{5, "an opening bracket is missing here"});
    CHECK(fault("sqrt(1, 2)") == Fault{6, "a closing bracket is missing here"});
    CHECK(fault("1e999") == Fault{0, "this is not a number"});
    CHECK(fault(".") == Fault{0, "this is not a number"});
    CHECK(fault("1 = 1") == Fault{2, "an operator is missing before this"});
    CHECK(fault("\xc3\xa4") == Fault{0, "a number or a name is missing here"});
}

TEST_CASE("A formula nested without end is refused") {
    CHECK(fault(std::string(100000, '(')).second == "the formula is nested too deeply");
    CHECK(fault(std::string(100000, '-')).second == "the formula is nested too deeply");
    std::string deep = "1";
    for (int i = 0; i < 60; ++i)
        deep = "(1 + " + deep + ")";
    CHECK(value(deep) == 61);
    std::string wide = "1";
    for (int i = 0; i < 5000; ++i)
        wide += " + 1";
    CHECK(value(wide) == 5001);
}

TEST_CASE("A bad formula in a config has the caret under the fault and names what is allowed") {
    Problem problem = only_error(with_formula("cyc / (T"));
    CHECK(problem.option == "hwprof.observables[0].formula");
    CHECK(problem.message.starts_with("\"hwprof.observables[0].formula\" is \"cyc / (T\": "
                                      "a closing bracket is missing here.\n"));
    CHECK(problem.line == 2);
    CHECK(problem.excerpt.substr(problem.caret - 1) == "\"}]}}");
    std::string unknown = only_error(with_formula("cyc * flops")).message;
    CHECK(unknown.find("\"flops\" is no symbol of a counter") != std::string::npos);
    CHECK(unknown.find("T, CALLS, cyc, l1_miss, and the functions abs, ") != std::string::npos);
    CHECK(with_formula("cyc * flops").config.hwprof_observables.empty());
    CHECK(with_formula("cyc * flops").config.hwprof_counters.size() == 2);
    CHECK(with_formula("cyc / l1_miss").problems.empty());
}

TEST_CASE("Symbols of counters are unique names") {
    auto message = [](const std::string& symbol) {
        return only_error(parse(R"({"hwprof": {"observables": [{"name": "o", "formula": "T + x"}],
            "counters": [{"hwc_name": "a", "symbol": "x"}, {"hwc_name": "b", "symbol": ")" +
                                    symbol + "\"}]}}",
                                "c"))
            .message;
    };
    std::string path = "\"hwprof.counters[1].symbol\" is ";
    CHECK(message("x") == path + "\"x\": another counter has this symbol.");
    CHECK(message("T") == path + "\"T\": formulas use this name for something else.");
    CHECK(message("max") == path + "\"max\": this is the name of a function.");
    CHECK(message("2x").find("no digit first") != std::string::npos);
    CHECK(message("a b").find("letters, digits") != std::string::npos);
}

TEST_CASE("Counters with errors draw no further errors about their symbols") {
    only_error(
        parse(R"({"hwprof": {"counters": [{"hwc_name": "a"}], "observables": [{"name": "o", "formula": "x"}]}})", "c"));
    only_error(parse(R"({"hwprof": {"counters": {"a": "x"}, "observables": [{"name": "o", "formula": "x"}]}})", "c"));
}

// Issue: Config: all problems in one pass (formulas with a wrong symbol too)
TEST_CASE("Formulas are checked beside counters and observables with errors") {
    auto told = [](const std::string& counters, const std::string& observables) {
        std::string all;
        for (const Problem& problem :
             parse("{\"hwprof\": {\"counters\": [" + counters + "], \"observables\": [" + observables + "]}}", "c")
                 .problems)
            all += problem.message.substr(0, problem.message.find('\n')) + "|";
        return all;
    };
    const std::string path = "\"hwprof.observables[0].formula\" is ";
    // The symbols are all known.
    CHECK(told(R"({"hwc_name": "", "symbol": "x"})", R"({"name": "o", "formula": "x / y"})") ==
          "\"hwprof.counters[0].hwc_name\" is \"\".|" + path + "\"x / y\": \"y\" is no symbol of a counter.|");
    CHECK(told(R"({"hwc_name": "a", "symbol": "x"}, {"hwc_name": "b", "symbol": "x"})",
               R"({"name": "o", "formula": "y"})") ==
          "\"hwprof.counters[1].symbol\" is \"x\": another counter has this symbol.|" + path +
              "\"y\": \"y\" is no symbol of a counter.|");
    CHECK(
        told(R"({"hwc_name": "a", "symbol": "2x"})", R"({"name": "o", "formula": "2 +"})") ==
        "\"hwprof.counters[0].symbol\" is \"2x\": a symbol is made of letters, digits and '_', with no digit first.|" +
            path + "\"2 +\": a number or a name is missing here.|");
    // One symbol is not: what is no name is told.
    CHECK(told(R"({"hwc_name": "a"})", R"({"name": "o", "formula": "x + nosuch (1"})") ==
          "\"hwprof.counters[0]\" has no \"symbol\".|" + path +
              "\"x + nosuch (1\": an operator is missing before this.|");
    // The observable has other errors.
    CHECK(told(R"({"hwc_name": "a", "symbol": "x"})", R"({"name": 5, "formula": "y"})") ==
          "\"hwprof.observables[0].name\" is 5.|" + path + "\"y\": \"y\" is no symbol of a counter.|");
    CHECK(told("", R"({"name": "o"}, 5, {"name": "o", "formula": ""})").find("no symbol") == std::string::npos);
}

TEST_CASE("A scenario file excludes counters in the config") {
    Loaded loaded =
        parse(R"({"hwprof": {"default_scenario": "/dev/null", "counters": [{"hwc_name": "a", "symbol": "x"}]}})", "c");
    CHECK(only_error(loaded).option == "hwprof.default_scenario");
    CHECK(loaded.config.hwprof_default_scenario.empty());
    CHECK(loaded.config.hwprof_counters.size() == 1);
    Loaded alone = parse(R"({"hwprof": {"default_scenario": "/dev/null", "counters": []}})", "c");
    CHECK(alone.problems.empty());
    CHECK(alone.config.hwprof_active);
}
