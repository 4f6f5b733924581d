// SPDX-License-Identifier: BSD-3-Clause
//
// Random damage to good configs: whatever comes in, parse() answers, and what it reports has a
// place in the text.
#include "../trials.hpp"

#include "config/config.hpp"

#include <catch2/catch.hpp>
#include <random>

using namespace vftr::config;

namespace {

const char* const Seeds[] = {
    R"json({"off": false, "logfile_for_ranks": "1,4,6,15-23", "sampling": {"active": true, "sample_interval": 1e-3,
        "precise_functions": "^MPI_.*(Send|Recv)\u0031\ud83d\ude00$"}, "mpi": {"sort_table": {"column": "calls"}}})json",
    R"json({"hwprof": {"type": "papi", "counters": [{"hwc_name": "PAPI_TOT_CYC", "symbol": "cyc"}, {}],
        "observables": [{"name": "rate", "formula": "(cyc + 1) / T * -2.5e3 ^ max(1, CALLS)", "unit": "1/s"}]}})json",
    R"json({"samplingg": [[[{"a": [null, true, "\\\""]}]]], "off": false, "off": true, "output_directory": "/tmp"})json",
};
const char* const Pieces[] = {"{",    "}",    "[",    "]",  ",",     ":",           "\"",
                              "\\",   "null", "true", "-1", "1e999", "\\u0000",     "\xef\xbb\xbf",
                              "\xff", "\n",   " ",    "()", "0.5",   "\"off\": 1,", "5-2",
                              "{}",   "/*",   "\t"};

std::string damaged(std::mt19937& random) {
    auto below = [&](std::size_t limit) { return random() % limit; };
    std::string text = below(4) ? Seeds[below(std::size(Seeds))] : print_json(Config());
    for (std::size_t times = 1 + below(4); times > 0; --times) {
        std::size_t at = below(text.size() + 1);
        switch (below(5)) {
        case 0:
            text.insert(at, Pieces[below(std::size(Pieces))]);
            break;
        case 1:
            text.erase(at, 1 + below(8));
            break;
        case 2:
            text.resize(at);
            break;
        case 3:
            text.insert(at, 1, static_cast<char>(random()));
            break;
        default:
            text.insert(at, text.substr(below(text.size() + 1), below(40)));
        }
    }
    return text;
}

} // namespace

TEST_CASE("Damaged configs are reported with a place and never crash", "[damaged]") {
    std::mt19937 random(20261121);
    for (int i = 0; i < vftr::test::trials(5000); ++i) {
        std::string text = damaged(random);
        Loaded loaded = parse(text, "c.json");
        for (const Problem& problem : loaded.problems) {
            bool placed = problem.line >= 1 && problem.column >= 1 && problem.caret >= 1 &&
                          problem.caret <= problem.excerpt.size() + 1 && !problem.message.empty();
            if (!placed)
                FAIL(text);
            to_text(problem);
        }
        // What was accepted can be printed and read again.
        if (i % 16 == 0 && !(parse(print_json(loaded.config), "again").config == loaded.config))
            FAIL(text);
    }
}
