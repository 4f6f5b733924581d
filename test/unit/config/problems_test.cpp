// SPDX-License-Identifier: BSD-3-Clause
#include "config/config.hpp"

#include <catch2/catch.hpp>

using namespace vftr::config;

namespace {

// The only problem of a config; it must be an error.
Problem error(const std::string& text) {
    Loaded loaded = parse(text, "c.json");
    INFO(text);
    for (const Problem& problem : loaded.problems)
        UNSCOPED_INFO(to_text(problem));
    REQUIRE(loaded.problems.size() == 1);
    CHECK(loaded.problems[0].severity == Problem::Severity::Error);
    CHECK(loaded.config == Config());
    return loaded.problems[0];
}

// What stands in the text from the caret on.
std::string under_caret(const Problem& problem) {
    REQUIRE(problem.caret >= 1);
    REQUIRE(problem.caret <= problem.excerpt.size() + 1);
    return problem.excerpt.substr(problem.caret - 1);
}

std::string message(const std::string& text) { return error(text).message; }
std::string caret(const std::string& text) { return under_caret(error(text)); }

} // namespace

// Issue: `hwprof.type` `likwid` and `ve` are known words.
TEST_CASE("Every source of counters that Vftrace 2.0 had is a known word") {
    for (const char* type : {"dummy", "papi", "likwid", "ve"}) {
        Loaded loaded = parse(std::string("{\"hwprof\": {\"type\": \"") + type + "\"}}", "c.json");
        CHECK(loaded.problems.empty());
        CHECK(loaded.config.hwprof_type == type);
    }
    CHECK(message("{\"hwprof\": {\"type\": \"likwit\"}}").find("\"likwid\", \"ve\"") != std::string::npos);
}

TEST_CASE("What may be a flag or a word is neither another word nor a number") {
    const std::string allowed = ".\nAllowed is true, false or \"full\".";
    for (const char* value : {"\"Full\"", "\"true\"", "1", "null"})
        CHECK(message("{\"print_config\": " + std::string(value) + "}") ==
              "\"print_config\" is " + std::string(value) + allowed);
    CHECK(message(R"({"print_config": []})") == "\"print_config\" is a list" + allowed);
    CHECK(message("{\"print_config\": \"full\\u0000\"}").find("null character") != std::string::npos);
    CHECK(parse(R"({"print_config": "full"})", "c.json").config.print_config == FlagOrWord("full"));
    CHECK(parse(R"({"print_config": false})", "c.json").config.print_config == FlagOrWord(false));
    CHECK(parse(R"({"print_config": true})", "c.json").config.print_config == FlagOrWord(true));
}

TEST_CASE("What may be a number or a word is neither another word nor a number out of range") {
    const std::string allowed = ".\nAllowed is \"auto\", \"off\" or a whole number of samples from 10 to 10000.";
    for (const char* value : {"\"Auto\"", "\"1000\"", "9", "10001", "99.5", "-1", "true", "null"})
        CHECK(message("{\"timing_samples\": " + std::string(value) + "}") ==
              "\"timing_samples\" is " + std::string(value) + allowed);
    CHECK(parse(R"({"timing_samples": 9})", "c.json").config.timing_samples == IntegerOrWord("auto"));
    CHECK(parse(R"({"timing_samples": 250})", "c.json").config.timing_samples == IntegerOrWord(250));
    CHECK(parse(R"({"timing_samples": "off"})", "c.json").config.timing_samples == IntegerOrWord("off"));
}

TEST_CASE("A wrong type is reported with path, place, what was found and what is allowed") {
    Problem problem = error("{\n  \"sampling\": {\n    \"active\": \"yes\"\n  }\n}\n");
    CHECK(problem.option == "sampling.active");
    CHECK(problem.line == 3);
    CHECK(problem.column == 15);
    CHECK(to_text(problem) == "Error: \"sampling.active\" is \"yes\".\n"
                              "       Allowed is true or false.\n"
                              "       in c.json, line 3, column 15:\n"
                              "           \"active\": \"yes\"\n"
                              "                     ^\n");
    CHECK(message(R"({"off": 0})") == "\"off\" is 0.\nAllowed is true or false.");
    CHECK(message(R"({"off": {"a": 1}})") == "\"off\" is an object.\nAllowed is true or false.");
    CHECK(message(R"({"sampling": {"sample_interval": "1"}})") ==
          "\"sampling.sample_interval\" is \"1\".\nAllowed is a number of seconds from 0 to 1000000000.");
    CHECK(message(R"({"output_directory": 5})").find("Allowed is the path of an existing, writable directory.") !=
          std::string::npos);
    CHECK(message(R"({"hwprof": {"counters": {}}})").find("\"hwprof.counters\" is an object.") == 0);
    CHECK(message(R"({"hwprof": {"counters": [5]}})") == "\"hwprof.counters[0]\" is 5.\nAllowed is an object.");
}

TEST_CASE("null is an error where no null is allowed") {
    for (const char* path : {"off", "max_call_paths", "output_directory", "logfile_for_ranks", "sampling"}) {
        std::string text = std::string("{\"") + path + "\": null}";
        CHECK(message(text).starts_with(std::string("\"") + path + "\" is null.\n"));
        CHECK(caret(text) == "null}");
    }
    CHECK(parse(R"({"outfile_basename": null, "sampling": {"precise_functions": null}})", "c").problems.empty());
}

TEST_CASE("Integers are whole and in their range, whatever way they are written") {
    auto value = [](const char* number) {
        return parse(std::string("{\"max_call_paths\": ") + number + "}", "c").config.max_call_paths;
    };
    CHECK(value("5000") == 5000);
    CHECK(value("5e3") == 5000);
    CHECK(value("5000.0") == 5000);
    CHECK(value("100000000") == 100000000);
    for (const char* bad : {"1.5", "1e300", "1e999", "-1", "999", "100000001", "2147483648", "1000.0001"}) {
        std::string text = std::string("{\"max_call_paths\": ") + bad + "}";
        CHECK(message(text) ==
              std::string("\"max_call_paths\" is ") + bad + ".\nAllowed is a whole number from 1000 to 100000000.");
    }
    CHECK(parse(R"({"profile_table": {"max_rows": 3000000000}})", "c").config.profile_table_max_rows == 3000000000);
    CHECK(message(R"({"profile_table": {"max_rows": 1e17}})").find("of at least 0.") != std::string::npos);
    CHECK(message(R"({"sampling": {"outbuffer_size": 0}})").find("from 1 to") != std::string::npos);
    CHECK(message(R"({"sampling": {"sample_interval": -0.1}})").find("is -0.1.") != std::string::npos);
    CHECK(message(R"({"mpi": {"collate_timeout": 0}})").find("a number above 0.") != std::string::npos);
    CHECK(parse(R"({"sampling": {"sample_interval": 0}})", "c").config.sampling_sample_interval == 0);
}

TEST_CASE("A bad sort column is answered with the columns that there are") {
    CHECK(message(R"({"cuda": {"sort_table": {"column": "tim"}}})") ==
          "\"cuda.sort_table.column\" is \"tim\".\n"
          "Allowed is one of \"time\", \"memcpy\", \"cbid\", \"calls\", \"none\".");
    CHECK(message(R"({"name_grouped_profile_table": {"sort_table": {"column": "stack_id"}}})").find("time_incl") !=
          std::string::npos);
    Loaded good = parse(R"({"profile_table": {"sort_table": {"column": "stack_id", "ascending": true}}})", "c");
    CHECK(good.problems.empty());
    CHECK(good.config.profile_table_sort_table_column == "stack_id");
    CHECK(good.config.profile_table_sort_table_ascending);
}

TEST_CASE("A bad range list has the caret under the fault") {
    CHECK(message(R"({"logfile_for_ranks": "1,,2"})") ==
          "\"logfile_for_ranks\" is \"1,,2\": a number is missing after the comma.\n"
          "Allowed is \"all\", \"none\" or a list of ranks such as \"1,4,6,15-23\".");
    CHECK(message(R"({"filter": {"only_for_threads": "99999999999"}})") ==
          "\"filter.only_for_threads\" is \"99999999999\": this number is too large.\n"
          "Allowed is \"all\", \"none\" or a list of threads such as \"1,4,6,15-23\".");
    CHECK(caret(R"({"logfile_for_ranks": "1,,2"})") == ",2\"}");
    CHECK(caret(R"({"logfile_for_ranks": "1, 5-2"})") == "5-2\"}");
    CHECK(caret(R"({"mpi": {"only_for_ranks": "2-"}})") == "\"}}");
    CHECK(caret(R"({"mpi": {"only_for_ranks": ""}})") == "\"}}");
    CHECK(parse(R"({"logfile_for_ranks": "1, 4"})", "c").config.logfile_for_ranks.contains(4));
}

TEST_CASE("A bad amount is reported with the reason and what is allowed") {
    for (auto [amount, reason] : {std::pair{"1 KiB", "there is no such unit"},
                                  {"10 h", "there is no such unit"},
                                  {"0.1 MiB", "this is too little"}})
        CHECK(
            message(std::string(R"({"sampling": {"keep_last": ")") + amount + "\"}}") ==
            std::string("\"sampling.keep_last\" is \"") + amount + "\": " + reason +
                ".\nAllowed is a time from 1 ms to 1000000 s in ms, s or min, such as \"10 s\", or a size from 1 MiB to 1 TiB in MiB or GiB, such as "
                "\"64 MiB\", or null.");
}

TEST_CASE("A run says with what it goes on after errors") {
    auto last_line = [](const std::string& text) {
        const std::string all = run_text(parse(text, "c.json"));
        return all.empty() ? all : all.substr(all.rfind('\n', all.size() - 2) + 1);
    };
    CHECK(run_text(parse("{}", "c.json")).empty());
    CHECK(last_line("{") == "vftrace: recording goes on with the default configuration\n");
    CHECK(run_text(load_file("/no/such")).ends_with("vftrace: recording goes on with the default configuration\n"));
    CHECK(last_line(R"({"max_recursion": 0})") ==
          "vftrace: recording goes on; an option whose value is wrong has its default\n");
    CHECK(
        last_line(R"({"output_directory": "/no/such"})") ==
        "vftrace: recording goes on; an option whose value is wrong has its default, files go to the current directory\n");
    CHECK(last_line(R"({"maxrecursion": 0})").find("goes on") == std::string::npos);
    CHECK(last_line(R"({"max_recursion": 0, "off": true})").find("goes on") == std::string::npos);
}

TEST_CASE("A bad regular expression is reported with the reason and the place of PCRE2") {
    std::string text = R"({"sampling": {"precise_functions": "ab(c"}})";
    CHECK(message(text).find("\"sampling.precise_functions\" is \"ab(c\": missing closing parenthesis") == 0);
    CHECK(caret(text) == "\"}}");
    // Escapes of JSON are longer in the file than in the expression.
    CHECK(caret(R"({"sampling": {"precise_functions": "\\d\u00e4(x"}})") == "\"}}");
    CHECK(parse(R"({"sampling": {"precise_functions": "^f(oo)?$"}})", "c").config.sampling_precise_functions ==
          "^f(oo)?$");
}

TEST_CASE("Entries of counters and observables must be complete") {
    CHECK(message(R"({"hwprof": {"counters": [{"hwc_name": "a"}]}})") == "\"hwprof.counters[0]\" has no \"symbol\".");
    CHECK(caret(R"({"hwprof": {"counters": [{"hwc_name": "a"}]}})") == "{\"hwc_name\": \"a\"}]}}");
    CHECK(
        message(R"({"hwprof": {"observables": [{"name": 5, "formula": "T"}]}})").find("observables[0].name\" is 5.") !=
        std::string::npos);
    CHECK(
        message(R"({"hwprof": {"counters": [{"hwc_name": "", "symbol": "s"}]}})").find("a string that is not empty") !=
        std::string::npos);
    CHECK(
        message(R"({"hwprof": {"counters": [{"hwc_name": "a", "symbol": "s", "symbol": "t"}]}})").find("given twice") !=
        std::string::npos);
}

TEST_CASE("Triggers have an expression, a call and an action") {
    Loaded good = parse(
        R"({"filter": {"triggers": [{"function": "^s.*e$", "call": 7, "action": "start"}, {"function": "b", "action": "stop"}]}})",
        "c");
    CHECK(good.problems.empty());
    CHECK(good.config.filter_triggers == std::vector<FilterTrigger>{{"^s.*e$", 7, "start"}, {"b", 1, "stop"}});
    auto fault = [](const std::string& trigger) { return message(R"({"filter": {"triggers": [)" + trigger + "]}}"); };
    CHECK(fault(R"({"function": "f", "call": 0, "action": "stop"})") ==
          "\"filter.triggers[0].call\" is 0.\nAllowed is a whole number of at least 1.");
    CHECK(fault(R"({"function": "f", "action": "halt"})") ==
          "\"filter.triggers[0].action\" is \"halt\".\nAllowed is one of \"start\", \"stop\".");
    CHECK(fault(R"({"function": "f(", "action": "stop"})").find("missing closing parenthesis") != std::string::npos);
    CHECK(fault(R"({"function": "f(", "action": "stop"})")
              .ends_with("Allowed is a regular expression (PCRE2) such as \"^(f|g)$\"."));
    CHECK(fault(R"({"function": null, "action": "stop"})") ==
          "\"filter.triggers[0].function\" is null.\nAllowed is a regular expression (PCRE2) such as \"^(f|g)$\".");
    CHECK(fault(R"({"function": "f"})") ==
          "\"filter.triggers[0]\" has no \"action\".\nAllowed is one of \"start\", \"stop\".");
    CHECK(fault(R"({"action": "stop"})") ==
          "\"filter.triggers[0]\" has no \"function\".\nAllowed is a regular expression (PCRE2) such as \"^(f|g)$\".");
    CHECK(fault("7").find("\"filter.triggers[0]\" is 7.\nAllowed is an object.") == 0);
}

TEST_CASE("Counters make hwprof active unless it says otherwise") {
    std::string counters = R"("counters": [{"hwc_name": "a", "symbol": "s"}])";
    CHECK(parse("{\"hwprof\": {" + counters + "}}", "c").config.hwprof_active);
    CHECK_FALSE(parse("{\"hwprof\": {\"active\": false, " + counters + "}}", "c").config.hwprof_active);
    CHECK_FALSE(parse("{\"hwprof\": {}}", "c").config.hwprof_active);
}

TEST_CASE("A section that is no object is an error") {
    CHECK(message(R"({"sampling": true})") == "\"sampling\" is true.\nAllowed is an object: this is a section.");
    CHECK(message(R"({"mpi": {"sort_table": "calls"}})").find("\"mpi.sort_table\" is \"calls\".") == 0);
    CHECK(caret(R"({"mpi": {"sort_table": ["calls"]}})") == "[\"calls\"]}}");
}

TEST_CASE("A repeated key is an error, and the first one counts") {
    Loaded loaded = parse("{\"off\": true,\n \"off\": false}", "c");
    REQUIRE(loaded.problems.size() == 1);
    CHECK(loaded.problems[0].message == "\"off\" is given twice; the first one, in line 1, counts.");
    CHECK(under_caret(loaded.problems[0]) == "\"off\": false}");
    CHECK(loaded.config.off);
    CHECK(message(R"({"mpi": {}, "mpi": {}})").find("\"mpi\" is given twice") == 0);
}

TEST_CASE("Faults of syntax have the caret under the place") {
    auto fault = [](const std::string& text) { return message(text) + " @ " + caret(text); };
    CHECK(fault(R"({"off": true,})") == "the comma before the closing bracket is one too many @ ,}");
    CHECK(fault("{\"off\": true,\n}") == "the comma before the closing bracket is one too many @ ,");
    CHECK(fault(R"({"hwprof": {"counters": [{"hwc_name": "a", "symbol": "s"},]}})") ==
          "the comma before the closing bracket is one too many @ ,]}}");
    CHECK(fault(R"({"off": true} x)") == "there is text behind the end of the configuration @ x");
    CHECK(fault(R"({"off": true}})") == "there is text behind the end of the configuration @ }");
    CHECK(fault(R"({"off": true} {})") == "there is text behind the end of the configuration @ {}");
    CHECK(fault(R"({"off": true "mpi": {}})") == "a comma or a closing bracket is missing before this @ \"mpi\": {}}");
    CHECK(fault(R"({"off" true})") == "a colon is missing before this @ true}");
    CHECK(fault(R"({"off": yes})") == "this is no JSON value; text needs double quotes @ yes}");
    CHECK(fault(R"({"hwprof": {"counters": [x]}})") == "this is no JSON value; text needs double quotes @ x]}}");
    CHECK(fault(R"({"hwprof": {"counters": [{"hwc_name": "a", "symbol": "s"},,{"hwc_name": "a", "symbol": "t"}]}})") ==
          "a value is missing before this @ ,{\"hwc_name\": \"a\", \"symbol\": \"t\"}]}}");
    CHECK(fault(R"({"off": true,, "mpi": {}})") == "a key in double quotes is missing here @ , \"mpi\": {}}");
    CHECK(fault(R"({"off": })") == "a value is missing before this @ }");
    CHECK(fault(R"({off: true})") == "a key in double quotes is missing here @ off: true}");
    CHECK(fault(R"({"off": true, mpi: {}})") == "a key in double quotes is missing here @ mpi: {}}");
    CHECK(fault(R"({,"off": true})") == "a key in double quotes is missing here @ ,\"off\": true}");
    CHECK(fault(R"({'off': true})") == "strings are written in double quotes @ 'off': true}");
    CHECK(fault(R"({"outfile_basename": 'a'})") == "strings are written in double quotes @ 'a'}");
    CHECK(fault("{\n// all of it\n\"off\": true}") == "JSON has no comments @ // all of it");
    CHECK(fault(R"({"off": true /* no */})") == "JSON has no comments @ /* no */}");
    CHECK(fault(R"({"outfile_basename": "a\qb"})") == "this escape is none that JSON knows @ \\qb\"}");
    CHECK(fault(R"({"outfile_basename": "abc})") == "the string that begins here does not end @ \"abc}");
    CHECK(fault("{\"off\": true") == "the file ends too early: a bracket or a value is missing @ ");
    CHECK(fault("{\"off\": true\n\n") == "the file ends too early: a bracket or a value is missing @ ");
    CHECK(fault("{\"off\":") == "the file ends too early: a bracket or a value is missing @ ");
    CHECK(fault("{") == "the file ends too early: a bracket or a value is missing @ ");
}

TEST_CASE("An empty file and one that holds no object are errors") {
    CHECK(message("") == "the file is empty; allowed is an object { … }");
    CHECK(message(" \n\t\n") == "the file is empty; allowed is an object { … }");
    CHECK(message("[1, 2]") == "the file holds a list; allowed is an object { … }");
    CHECK(message(" 5") == "the file holds 5; allowed is an object { … }");
    CHECK(caret(" 5") == "5");
    CHECK(message(std::string("{}\0", 3)).find("null byte") != std::string::npos);
    CHECK(message(std::string("\xff\xfe{\0}\0", 6)).find("null byte") != std::string::npos);
    CHECK(parse("{}", "c").problems.empty());
    CHECK(parse(" \r\n{ }\r\n ", "c").problems.empty());
}

TEST_CASE("A byte order mark is no problem, and no column") {
    CHECK(parse("\xef\xbb\xbf{\"off\": true}", "c").config.off);
    CHECK(error("\xef\xbb\xbf{\"off\": 1}").column == 9);
    CHECK(caret("\xef\xbb\xbf{\"off\": 1}") == "1}");
}

TEST_CASE("Deep nesting is reported, not a crash") {
    for (std::size_t depth : {900u, 1100u, 200000u}) {
        std::string open, close;
        for (std::size_t i = 0; i < depth; ++i) {
            open += "{\"a\":";
            close += "}";
        }
        Loaded loaded = parse(open + "1" + close, "c");
        REQUIRE(loaded.problems.size() == 1);
        if (depth > 1000)
            CHECK(loaded.problems[0].message == "the brackets are nested too deeply");
    }
    CHECK(message("{\"off\": " + std::string(5000, '[') + std::string(5000, ']') + "}") ==
          "the brackets are nested too deeply");
}

TEST_CASE("All problems of a file come in one pass, in the order of the file") {
    Loaded loaded = parse(R"({
    "logfile_for_ranks": "5-2",
    "hwprof": {"counters": [{"hwc_name": "a", "symbl": "s"}]},
    "samplingg": 1,
    "off": true,
    "sampling": {"active": 1, "precise_functions": "(", "sample_interval": 0.25},
    "off": false,
    "mpi": []
})",
                          "c");
    std::vector<std::pair<std::size_t, std::string>> found;
    for (const Problem& problem : loaded.problems)
        found.emplace_back(problem.line, problem.option);
    CHECK(found == std::vector<std::pair<std::size_t, std::string>>{{2, "logfile_for_ranks"},
                                                                    {3, "hwprof.counters[0]"},
                                                                    {3, "hwprof.counters[0].symbl"},
                                                                    {4, "samplingg"},
                                                                    {6, "sampling.active"},
                                                                    {6, "sampling.precise_functions"},
                                                                    {7, "off"},
                                                                    {8, "mpi"}});
    // What was right took effect, the rest has its default.
    CHECK(loaded.config.off);
    CHECK(loaded.config.sampling_sample_interval == 0.25);
    CHECK_FALSE(loaded.config.sampling_active);
    CHECK(loaded.config.hwprof_counters.empty());
}

TEST_CASE("Columns count characters, and tabs do not move the caret") {
    Problem problem = parse("{\"outfile_basename\": \"äöü\",\t\"off\": 1}", "c").problems.at(0);
    CHECK(problem.column == 36);
    CHECK(problem.caret == 36);
    CHECK(to_text(problem).find("\"äöü\", \"off\": 1}\n" + std::string(7 + 35, ' ') + "^\n") != std::string::npos);
}

TEST_CASE("A long line is shown around the place only") {
    std::string text = "{\"sampling\": {\"precise_functions\": \"" + std::string(5000, 'x') +
                       "\"}, \"off\": 7, \"mpi\": {" + std::string(5000, ' ') + "}}";
    Problem problem = parse(text, "c").problems.at(0);
    CHECK(problem.column == 5048);
    CHECK(problem.excerpt.size() < 200);
    CHECK(under_caret(problem).starts_with("7, \"mpi\""));
}

TEST_CASE("Windows line ends count once and are not shown") {
    Problem problem = error("{\r\n\"off\":\r\n 1\r\n}");
    CHECK(problem.line == 3);
    CHECK(problem.column == 2);
    CHECK(problem.excerpt == " 1");
}

TEST_CASE("Text that is not UTF-8 or holds a null character is an error") {
    CHECK(message("{\"outfile_basename\": \"a\xff\"}").find("null character or is not UTF-8") != std::string::npos);
    CHECK(message(R"({"outfile_basename": "a\u0000b"})").find("null character") != std::string::npos);
    CHECK(parse(R"({"outfile_basename": "a\\u0000b"})", "c").config.outfile_basename == "a\\u0000b");
    CHECK(message(R"({"outfile_basename": ""})").find("the name is empty") != std::string::npos);
    CHECK(message(R"({"outfile_basename": "a/b"})") ==
          "\"outfile_basename\" is \"a/b\": a name has no \"/\".\n"
          "Allowed is a name of at most 207 bytes without \"/\" (the folder is \"output_directory\"), or null.");
    CHECK(message(R"({"outfile_basename": ".."})").find("it is that of a folder") != std::string::npos);
    CHECK(message("{\"outfile_basename\": \"" + std::string(208, 'x') + "\"}").find("it has 208 bytes") !=
          std::string::npos);
    CHECK(parse("{\"outfile_basename\": \"" + std::string(207, 'x') + "\"}", "c").problems.empty());
}

TEST_CASE("A file of nothing but mistakes is reported up to a limit, and says so") {
    std::string text = "{";
    for (int i = 0; i < 3000; ++i)
        text += "\"xxxxxxxxxxxx" + std::to_string(i) + "\": 1,\n";
    Loaded loaded = parse(text + "\"off\": true}", "c");
    CHECK(loaded.problems.size() == 1001);
    CHECK(loaded.problems.back().message == "and 2000 more warnings");
    CHECK(loaded.problems.back().severity == Problem::Severity::Warning);
    CHECK(loaded.problems.back().stands_for == 2000);
    CHECK(loaded.config.off);
    loaded = parse(text + "\"off\": 1, \"timing\": 2}", "c");
    CHECK(loaded.problems.size() == 1002);
    CHECK(loaded.problems[1000].message == "and 2 more errors");
    CHECK(loaded.problems[1001].message == "and 2000 more warnings");
}
