// SPDX-License-Identifier: BSD-3-Clause
//
// Mistakes of syntax: what is told of them, and of what stands behind them.
#include "config/config.hpp"

#include <catch2/catch.hpp>

using namespace vftr::config;

namespace {

// "2:7 message", one line each.
std::string told(const std::string& text) {
    const Loaded loaded = parse(text, "c.json");
    CHECK(loaded.config == Config());
    CHECK(loaded.source.empty());
    CHECK(loaded.ineffective.empty());
    std::string all;
    for (const Problem& problem : loaded.problems)
        all += std::to_string(problem.line) + ":" + std::to_string(problem.column) + " " +
               problem.message.substr(0, problem.message.find('\n')) + "\n";
    return all;
}

const std::string Trailing = "the comma before the closing bracket is one too many\n";
const std::string NoValue = "this is no JSON value; text needs double quotes\n";
const std::string NoComma = "a comma or a closing bracket is missing before this\n";
const std::string NoKey = "a key in double quotes is missing here\n";
const std::string NoColon = "a colon is missing before this\n";
const std::string Comment = "JSON has no comments\n";
const std::string Single = "strings are written in double quotes\n";
const std::string Open = "the string that begins here does not end\n";
const std::string Behind = "there is text behind the end of the configuration\n";
const std::string Cut = "the file ends too early: a bracket or a value is missing\n";
// Behind every mistake stands another problem.
const std::string End = ",\n \"off\": 1\n}";
const std::string Off = "2:9 \"off\" is 1.\n";

} // namespace

// Issue: Config: all problems in one pass also after a syntax error where that is possible
TEST_CASE("What stands behind a mistake of syntax is checked, too") {
    CHECK(told("{\"mpi\": {\"show_table\": true,}" + End) == "1:28 " + Trailing + Off);
    CHECK(told("{\"mpi\": True" + End) == "1:9 " + NoValue + Off);
    CHECK(told("{\"mpi\": None" + End) == "1:9 " + NoValue + Off);
    CHECK(told("{\"max_recursion\": NaN" + End) == "1:19 " + NoValue + Off);
    CHECK(told("{\"max_recursion\": 0x10" + End) == "1:19 " + NoValue + Off);
    CHECK(told("{\"max_recursion\": 10 s" + End) == "1:22 " + NoComma + Off);
    CHECK(told("{\"output_directory\": /tmp/a b" + End) == "1:22 " + NoValue + Off);
    CHECK(told("{\"output_directory\": very true # no" + End) ==
          "1:22 " + NoValue + "1:32 " + Comment + "2:2 " + NoComma + Off);
    CHECK(told("{\"mpi\" {}" + End) == "1:8 " + NoColon + Off);
    CHECK(told("{\"mpi\" = {}" + End) == "1:8 a colon is missing here\n" + Off);
    CHECK(told("{\"mpi\"" + End) == "1:7 a colon and a value are missing before this\n" + Off);
    CHECK(told("{\"mpi\": " + End) == "1:9 a value is missing before this\n" + Off);
    CHECK(told("{\"mpi\":: {}" + End) == "1:8 this colon is one too many\n" + Off);
    CHECK(told("{mpi: {\"show_tabel\": true}" + End) ==
          "1:2 " + NoKey + "1:8 \"mpi.show_tabel\" is not a valid vftrace option.\n" + Off);
    CHECK(told("{'mpi': {'show_table': 'x'}" + End) ==
          "1:2 " + Single + "1:10 " + Single + "1:24 " + Single + "1:24 \"mpi.show_table\" is \"x\".\n" + Off);
    CHECK(told("{// all\n\"mpi\": {} /* no,\n\"off\": 2 */" + End) ==
          "1:2 " + Comment + "2:11 " + Comment + "4:9 \"off\" is 1.\n");
    CHECK(told("{\"mpi\": {}\n \"off\": 1\n}") == "2:2 " + NoComma + Off);
    CHECK(told("{\"mpi\": {};\n \"off\": 1\n}") == "1:11 " + NoComma + Off);
    CHECK(told("{\"mpi\": {}," + End) == "1:12 " + NoKey + Off);
    CHECK(told("{\"mpi\": {}}" + End) == "1:12 " + Behind + Off);
    CHECK(told("{\"mpi\": {}]" + End) == "1:11 this bracket closes nothing\n" + Off);
    CHECK(told("{\"mpi\": {]" + End) == "1:10 the closing bracket of an object is a }\n" + Off);
    CHECK(told("{\"hwprof\": {\"counters\": [}" + End) == "1:26 a closing bracket ] is missing before this\n" + Off);
    CHECK(
        told("{\"hwprof\": {\"counters\": [, \"observables\": 5}" + End) ==
        "1:26 a value is missing before this\n1:26 a closing bracket ] is missing before this\n1:43 \"hwprof.observables\" is 5.\n" +
            Off);
    CHECK(told("{\"mpi\": \"show_table\": 1}" + End) ==
          "1:9 an opening bracket { is missing before this\n1:23 \"mpi.show_table\" is 1.\n" + Off);
    CHECK(told("{\"outfile_basename\": \"a\\qb\"" + End) == "1:24 this escape is none that JSON knows\n" + Off);
    CHECK(told("{\"off\\q\": true" + End) == "1:6 this escape is none that JSON knows\n" + Off);
    CHECK(told("{\"outfile_basename\": \"abc" + End) == "1:22 " + Open + Off);
    CHECK(told("{\"outfile_basename\": abc\"" + End) == "1:22 " + NoValue + Off);
    CHECK(told("{\"outfile_basename: null" + End) == "1:2 " + Open + Off);
    CHECK(told("{outfile_basename\": null" + End) == "1:2 " + NoKey + Off);
    CHECK(told("{\"mpi\": {\"only_for_ranks\": \"1-2}" + End) == "1:28 " + Open + Off);
}

TEST_CASE("A file that ends too early is checked up to its end") {
    CHECK(told("{\"off\": 1") == "1:9 \"off\" is 1.\n1:10 " + Cut);
    CHECK(told("{\"off\": 1,\n") == "1:9 \"off\" is 1.\n1:11 " + Cut);
    CHECK(told("{\"off\": 1, \"mpi\":") == "1:9 \"off\" is 1.\n1:18 " + Cut);
    CHECK(told("{\"off\": 1, \"mpi\"") == "1:9 \"off\" is 1.\n1:17 " + Cut);
    CHECK(told("{\"off\": 1, \"hwprof\": {\"counters\": [{\"hwc_name\": \"a\"") == "1:9 \"off\" is 1.\n1:52 " + Cut);
    CHECK(told("{\"off\": 1, \"outfile_basename\": \"abc") == "1:9 \"off\" is 1.\n1:32 " + Open);
    CHECK(told("{\"off\": 1 /* and {") == "1:9 \"off\" is 1.\n1:11 " + Comment);
    // Where the bracket is missing is not known: that "mpi" is within "sampling" is no other mistake.
    CHECK(told("{\"sampling\": {\"active\": true,\n\"mpi\": {},\n\"nosuch\": 1}") ==
          "3:1 \"sampling.nosuch\" is not a valid vftrace option.\n3:13 " + Cut);
}

TEST_CASE("A mistake draws one message, wherever it is made") {
    const std::string whole = print_json(Config());
    REQUIRE(parse(whole, "c").problems.empty());
    auto expect_one = [](const std::string& text) {
        const Loaded loaded = parse(text, "c");
        for (const Problem& problem : loaded.problems)
            UNSCOPED_INFO(to_text(problem));
        CHECK(loaded.problems.size() == 1);
        CHECK(loaded.source.empty());
    };
    bool in_string = false;
    for (std::size_t at = 0; at < whole.size(); ++at) {
        const char c = whole[at];
        in_string ^= c == '"';
        auto with = [&](std::size_t length, const char* other) {
            std::string text = whole;
            return text.replace(at, length, other);
        };
        const bool structure = !in_string && (c == '"' || std::string(",:{}[]").find(c) != std::string::npos);
        if (c == '"' || (structure && c != ']'))
            expect_one(with(1, ""));
        if (structure && c != '[') // of two brackets more both may be what was meant
            expect_one(with(1, (std::string(2, c)).c_str()));
        if (structure && (c == '}' || c == ']')) {
            expect_one(with(1, c == '}' ? "]" : "}"));
            if (whole[at - 1] != '{')
                expect_one(with(0, ","));
        }
        if (structure && c == ',')
            expect_one(with(1, ";"));
        if (structure && c == ':')
            expect_one(with(1, "="));
        if (!in_string && c == '\n' && at > 0)
            expect_one(with(0, " // it's \"{"));
        if (whole.compare(at, 6, ": true") == 0)
            for (const char* value : {": True", ": yes", ":", ": truee", ": \"\\q\""})
                expect_one(with(6, value));
    }
}

TEST_CASE("Thousands of mistakes take no time and are told up to a limit") {
    std::string comments = "{", huge = "{\"off\": [";
    for (int i = 0; i < 1500; ++i)
        comments += "//\n";
    CHECK(parse(comments + "}", "c").problems.size() == 1001);
    while (huge.size() < 1000000)
        huge += "x, ";
    const std::vector<Problem> problems = parse(huge + "]}", "c").problems;
    REQUIRE(problems.size() > 2);
    CHECK(problems.back().message == "there is another mistake here; what follows is not looked at");
}

// Issue: `01` and `1.` refused
TEST_CASE("Numbers are those of JSON in keys that nobody knows, too") {
    for (const char* number : {"01", "1.", "-01", "-.5", "1.e1", "00"})
        for (const char* around :
             {"{\"nosuch\": #}", "{\"nosuch\": {\"a\": [true, \"01\", {\"b\":#}]}}",
              "{\"mpi\": {\"nosuch\": [1, #, 2]}}",
              "{\"hwprof\": {\"counters\": [{\"hwc_name\": \"a\", \"symbol\": \"s\", \"x\": [#]}]}}"}) {
            std::string text = around;
            const std::size_t at = text.find('#');
            const std::vector<Problem> problems = parse(text.replace(at, 1, number), "c").problems;
            INFO(text);
            REQUIRE(problems.size() == 2);
            CHECK(problems[1].column == at + 1);
            CHECK(problems[1].severity == Problem::Severity::Error);
            CHECK(problems[1].message.find(std::string(" ") + number + ": a ") != std::string::npos);
        }
    CHECK(parse("{\"nosuch\": [0, -0, 0.5, 10, 1e1, 1E-2, -1.5e+3, \"01\", true, null]}", "c").problems.size() == 1);
}
