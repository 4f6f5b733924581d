// SPDX-License-Identifier: BSD-3-Clause
#include "config/config.hpp"

#include <catch2/catch.hpp>

using namespace vftr::config;

namespace {

// "option@line" of each option that does nothing.
std::string idle(const std::string& text) {
    std::string found;
    for (const Problem& problem : parse(text, "c.json").ineffective) {
        CHECK(problem.severity == Problem::Severity::Warning);
        found += problem.option + '@' + std::to_string(problem.line) + ' ';
    }
    return found;
}

} // namespace

TEST_CASE("Options of timelines do nothing without sampling.active, and that is no problem of a run") {
    const std::string options = R"("sample_interval": 0, "outbuffer_size": 9,
"compress": true, "keep_last": "10 s", "precise_functions": "^f$"},
"filter": {"min_duration": 0.001}, "mpi": {"clock_offsets": "both"}})";
    const std::string all =
        "sampling.sample_interval@1 sampling.outbuffer_size@1 sampling.compress@2 sampling.keep_last@2 sampling.precise_functions@2 "
        "filter.min_duration@3 mpi.clock_offsets@3 ";
    CHECK(idle(R"({"sampling": {)" + options) == all);
    CHECK(idle(R"({"sampling": {"active": false, )" + options) == all);
    CHECK(parse(R"({"sampling": {)" + options, "c.json").problems.empty());
    CHECK(parse(R"({"sampling": {)" + options, "c.json").ineffective[0].message ==
          "\"sampling.sample_interval\" does nothing: it is about timelines, and \"sampling.active\" is false.");
}

TEST_CASE("Options that nothing reads yet are idle where they are set") {
    CHECK(parse(R"({"hwprof": {"active": true}})", "c.json").ineffective[0].message ==
          R"("hwprof.active" does nothing: it takes effect in a later version.)");
    CHECK(idle(R"({"hwprof": {"active": false}, "cuda": {"show_table": true}})").empty());
}

TEST_CASE("With exact timing the error of estimates is idle") {
    CHECK(parse(R"({"timing": "exact", "timing_error": 0.5})", "c.json").ineffective[0].message ==
          R"("timing_error" does nothing: it is about adaptive timing, and "timing" is "exact".)");
}

TEST_CASE("Defaults, mistakes, and options of timelines that there are, are not idle") {
    CHECK(idle(print_json(Config())).empty());
    CHECK(idle(R"({"sampling": {"sample_interval": 0.005, "keep_last": null, "compress": false}})").empty());
    CHECK(idle(R"({"sampling": {"sample_interval": -1}})").empty());
    CHECK(idle(R"({"timing": "adaptive", "timing_error": 0.5})").empty());
    CHECK(idle(R"({"sampling": {"active": 1, "sample_interval": 1}})").empty());
    CHECK(
        idle(
            R"({"sampling": {"active": true, "sample_interval": 0, "keep_last": "10 s"}, "filter": {"min_duration": 1}})")
            .empty());
}

TEST_CASE("sampling.compress does nothing beside sampling.keep_last, in the words of a run") {
    const Loaded loaded = parse(R"({"sampling": {"active": true, "keep_last": "10 s", "compress": true}})", "c.json");
    REQUIRE(loaded.ineffective.size() == 1);
    CHECK(loaded.ineffective[0].message.substr(0, compress_beside_keep_last.size()) == compress_beside_keep_last);
}
