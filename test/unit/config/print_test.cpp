// SPDX-License-Identifier: BSD-3-Clause
#include "config/json_text.hpp"
#include "config/option.hpp"

#include <catch2/catch.hpp>
#include <clocale>

using namespace vftr::config;

namespace {

Config round_trip(const Config& config, std::string (*print)(const Config&) = print_json) {
    Loaded loaded = parse(print(config), "printed");
    for (const Problem& problem : loaded.problems)
        FAIL_CHECK(to_text(problem));
    return loaded.config;
}

// Something that is not the default but allowed.
struct Changer {
    const Option& option;
    void operator()(bool& value) const { value = !value; }
    void operator()(FlagOrWord& value) const { value = FlagOrWord(std::string(option.check.choices)); }
    void operator()(std::int64_t& value) const { ++value; }
    void operator()(IntegerOrWord& value) const { value = IntegerOrWord(std::int64_t(option.check.low)); }
    void operator()(double& value) const { value = value / 3 + 1e-7; }
    void operator()(std::string& value) const {
        if (option.type == Type::Choice) {
            for (std::string_view choice : split_choices(option.check.choices))
                if (choice != value)
                    return void(value = choice);
        }
        value = option.check.kind == Check::Kind::ReadableFile ? "/dev/null" : "/tmp";
    }
    void operator()(std::optional<std::string>& value) const {
        value = option.check.kind == Check::Kind::Amount ? "64 MiB"
                : option.type == Type::Regex             ? "^a\\d+/(b|\"c\")\t$"
                                                         : "b\x01\x7f\"\\ \n\tä€😀";
    }
    void operator()(RankSet& value) const { value = *RankSet::parse(" 1 , 3-4", nullptr); }
    void operator()(std::vector<HwCounter>& value) const {
        value = {{"PAPI_TOT_CYC", "cyc"}, {"a \"quoted\" one", "q"}};
    }
    void operator()(std::vector<HwObservable>& value) const {
        value = {{"rate", "cyc/T*1e-6", "M/s"}, {"ü", "CALLS", ""}};
    }
    void operator()(std::vector<FilterTrigger>& value) const {
        value = {{"^sol\\w+ \"x\"$", 3, "start"}, {"b", 1, "stop"}};
    }
};

void change(const Option& option, Config& config) {
    std::visit([&](auto member) { Changer{option}(config.*member); }, option.member);
}

} // namespace

TEST_CASE("The printed defaults read back as the defaults") { CHECK(round_trip(Config()) == Config()); }

TEST_CASE("Any single changed option reads back, with nothing else changed") {
    for (const Option& option : all_options()) {
        INFO(option.path);
        Config config;
        change(option, config);
        CHECK_FALSE(config == Config());
        if (option.type == Type::Counters || option.type == Type::Observables)
            config.hwprof_counters = {{"PAPI_TOT_CYC", "cyc"}};
        CHECK(round_trip(config) == config);
        CHECK(round_trip(config, print_changes) == config);
    }
}

TEST_CASE("A configuration with every option changed reads back, also with counters") {
    Config config;
    for (const Option& option : all_options())
        if (option.path != "hwprof.default_scenario") // stands instead of the counters
            change(option, config);
    CHECK(round_trip(config) == config);
    CHECK(round_trip(config, print_changes) == config);
}

// Issue: Configuration: what differs from the default; it can be fed back.
TEST_CASE("What differs from the default is printed with its sections only") {
    CHECK(print_changes(Config()) == "{}\n");
    Config config;
    config.mpi_sort_table_column = "calls";
    config.print_config = false;
    config.sampling_active = true;
    CHECK(print_changes(config) == "{\n"
                                   "   \"print_config\": false,\n"
                                   "   \"sampling\": {\n"
                                   "      \"active\": true\n"
                                   "   },\n"
                                   "   \"mpi\": {\n"
                                   "      \"sort_table\": {\n"
                                   "         \"column\": \"calls\"\n"
                                   "      }\n"
                                   "   }\n"
                                   "}\n");
    config.print_config = FlagOrWord("full");
    CHECK(print_changes(config).starts_with("{\n   \"print_config\": \"full\",\n"));
}

TEST_CASE("An option whose default depends on others is printed where it is not as these have it") {
    Config config;
    config.hwprof_counters = {{"PAPI_TOT_CYC", "cyc"}};
    for (bool active : {false, true}) {
        config.hwprof_active = active;
        CHECK(round_trip(config, print_changes) == config);
        CHECK((print_changes(config).find("\"active\"") == std::string::npos) == active);
    }
}

TEST_CASE("Strings are escaped as JSON wants it, and UTF-8 is kept") {
    CHECK(json_string("a\"b\\c/d") == "\"a\\\"b\\\\c/d\"");
    CHECK(json_string("\n\t\r\x01\x1f\x7f") == "\"\\n\\t\\u000d\\u0001\\u001f\\u007f\"");
    CHECK(json_string("ä€😀") == "\"ä€😀\"");
    CHECK(json_string("") == "\"\"");
    CHECK(json_string("a\x9b"
                      "b\xc3") == "\"a\\ufffdb\\ufffd\""); // what is not UTF-8
}

TEST_CASE("Numbers are written shortest, and whole ones in full") {
    CHECK(number_to_text(0.005) == "0.005");
    CHECK(number_to_text(100000000) == "100000000");
    CHECK(number_to_text(0) == "0");
    CHECK(number_to_text(1.0 / 3) == "0.3333333333333333");
    CHECK(number_to_text(1e300) == "1e+300");
}

TEST_CASE("The printed form is stable and indented by sections") {
    std::string text = print_json(Config());
    CHECK(text.starts_with("{\n   \"off\": false,\n   \"output_directory\": \".\",\n"));
    CHECK(text.find("\n   \"sampling\": {\n      \"active\": false,\n") != std::string::npos);
    CHECK(text.ends_with("\n   }\n}\n"));
    Config config;
    config.hwprof_counters = {{"a", "b"}, {"c", "d"}};
    CHECK(print_json(config).find("      \"counters\": [\n"
                                  "         {\"hwc_name\": \"a\", \"symbol\": \"b\"},\n"
                                  "         {\"hwc_name\": \"c\", \"symbol\": \"d\"}\n"
                                  "      ],\n") != std::string::npos);
}
