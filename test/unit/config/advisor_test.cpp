// SPDX-License-Identifier: BSD-3-Clause
#include "config/advisor.hpp"
#include "config/config.hpp"

#include <catch2/catch.hpp>

using namespace vftr::config;

namespace {

// The message of the only problem of a config, which must be a warning.
std::string warning(const std::string& text) {
    Loaded loaded = parse(text, "c.json");
    REQUIRE(loaded.problems.size() == 1);
    CHECK(loaded.problems[0].severity == Problem::Severity::Warning);
    CHECK(loaded.config == Config());
    return loaded.problems[0].message;
}

} // namespace

TEST_CASE("The Levenshtein distance counts edits") {
    CHECK(levenshtein("", "") == 0);
    CHECK(levenshtein("abc", "") == 3);
    CHECK(levenshtein("", "abc") == 3);
    CHECK(levenshtein("kitten", "sitting") == 3);
    CHECK(levenshtein("sampling", "samplingg") == 1);
    CHECK(levenshtein("flaw", "lawn") == 2);
}

TEST_CASE("An unknown key at the top gets the nearest option") {
    std::string text = to_text(parse(R"({"samplingg": {}})", "c.json").problems.at(0));
    CHECK(text == "Warning: \"samplingg\" is not a valid vftrace option.\n"
                  "         Did you mean \"sampling\"?\n"
                  "         in c.json, line 1, column 2:\n"
                  "         {\"samplingg\": {}}\n"
                  "          ^\n");
}

TEST_CASE("An option's path as a key is shown as objects") {
    CHECK(warning(R"({"sampling.active": true})") == "\"sampling.active\" is not a valid vftrace option.\n"
                                                     "Sections are objects: {\"sampling\": {\"active\": …}}.");
    CHECK(warning(R"({"mpi": {"sort_table.column": "none"}})") ==
          "\"mpi.sort_table.column\" is not a valid vftrace option.\n"
          "Sections are objects: {\"mpi\": {\"sort_table\": {\"column\": …}}}.");
}

TEST_CASE("An unknown key in a section is shown with its full path") {
    CHECK(warning(R"({"sampling": {"sample_intervall": 1}})") ==
          "\"sampling.sample_intervall\" is not a valid vftrace option.\n"
          "Did you mean \"sampling.sample_interval\"?");
    CHECK(warning(R"({"openacc": {"show_event_detail": 1}})") ==
          "\"openacc.show_event_detail\" is not a valid vftrace option.\n"
          "Did you mean \"openacc.show_event_details\"?");
    CHECK(warning(R"({"mpi": {"sort_table": {"colum": 1}}})") ==
          "\"mpi.sort_table.colum\" is not a valid vftrace option.\n"
          "Did you mean \"mpi.sort_table.column\"?");
}

TEST_CASE("Unknown keys of counters and observables are found, with their index") {
    CHECK(parse(R"({"hwprof": {"counters": [{"hwc_name": "a", "symbol": "b"},
                                            {"hwc_name": "a", "symbol": "c", "symbl": ""}]}})",
                "c.json")
              .problems.at(0)
              .message == "\"hwprof.counters[1].symbl\" is not a valid vftrace option.\n"
                          "Did you mean \"hwprof.counters[1].symbol\"?");
    CHECK(parse(R"({"hwprof": {"observables": [{"name": "a", "formula": "T", "units": "s"}]}})", "c.json")
              .problems.at(0)
              .message == "\"hwprof.observables[0].units\" is not a valid vftrace option.\n"
                          "Did you mean \"hwprof.observables[0].unit\"?");
}

TEST_CASE("Where nothing is near, the options of the section are listed") {
    std::string section = warning(R"({"stacklist": {"intervall": 1}})");
    CHECK(section.starts_with("\"stacklist.intervall\" is not a valid vftrace option.\n"
                              "Options of \"stacklist\" are "));
    CHECK(section.find("\"show_stacklist\"") != std::string::npos);
    CHECK(section.find("Did you mean") == std::string::npos);
    std::string top = warning(R"({"xyzzy_plugh": 1})");
    CHECK(top.find("Did you mean") == std::string::npos);
    CHECK(top.find("Options here are \"off\", \"output_directory\", ") != std::string::npos);
    CHECK(top.find("\"hwprof\"") != std::string::npos);
}

TEST_CASE("A suggestion may differ by half the length of the key, not by more") {
    CHECK(warning(R"({"offxyz": 1})").find("Did you mean \"off\"?") != std::string::npos);
    CHECK(warning(R"({"offxyzz": 1})").find("Did you mean") == std::string::npos);
}

TEST_CASE("A key that belongs to another section is sent there") {
    CHECK(warning(R"({"sample_interval": 1})") == "\"sample_interval\" is not a valid vftrace option.\n"
                                                  "It belongs to another section: "
                                                  "\"sampling.sample_interval\".");
    CHECK(warning(R"({"sampling": {"demangle_cxx": true}})") ==
          "\"sampling.demangle_cxx\" is not a valid vftrace option.\n"
          "It belongs to the top level of the configuration.");
}

TEST_CASE("Keys are case-sensitive, and the advisor knows what was meant") {
    CHECK(warning(R"({"OFF": true})") == "\"OFF\" is not a valid vftrace option.\n"
                                         "Did you mean \"off\"?");
    CHECK(warning(R"({"Sampling": {"active": true}})").find("\"sampling\"?") != std::string::npos);
}

TEST_CASE("Odd keys do no harm") {
    CHECK(warning(R"({"": 1})").starts_with("\"\" is not a valid"));
    CHECK(warning(R"({"a\nb": 1})").starts_with("\"a\\nb\" is not a valid"));
    CHECK(warning("{\"" + std::string(100000, 'x') + "\": 1}").size() < 110000);
}

TEST_CASE("Advice is given for paths too") {
    CHECK(advice("sampling.activ") == "\"sampling.activ\" is not a valid vftrace option.\n"
                                      "Did you mean \"sampling.active\"?");
    CHECK(advice("of") == "\"of\" is not a valid vftrace option.\nDid you mean \"off\"?");
    CHECK(advice("mpi.sort_table.colun").find("\"mpi.sort_table.column\"") != std::string::npos);
}
