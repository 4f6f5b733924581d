// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/compare/diff_options.hpp"

#include "config_tools/option_number.hpp"
#include "config_tools/verb.hpp"

#include "base/foreign_text.hpp"
#include "base/replaced_file.hpp"
#include "compare/matched_tree.hpp"

#include "config.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string_view>

namespace vftr::cli {

const char* const DiffOptionsHelp =
    "  --paths             a row for each call path, not for each function\n"
    "  --by=sum|mean|max   over ranks: their sum, a rank on average, the rank that has most; default: sum\n"
    "  --normalise=time    times in percent of the application time of the run\n"
    "  --normalise=calls:REGEX\n"
    "                      times by the number of calls of the functions that match\n"
    "  --noise=PERCENT     by how much two runs of one program may differ, where there is one run each; default: 100\n"
    "  --all               rows without a finding, too\n"
    "  --max-rows=N        the most rows of the table; 0 shows all; default: 50\n"
    "  --format=text|json|csv|folded|html\n"
    "                      folded: stacks with the nanoseconds of both sides, for flamegraph.pl; html: the page of\n"
    "                      vftr html BASE… --versus NEW…\n"
    "  --fail-if=[REGEX:]CONDITION\n"
    "                      exit code 1 if it holds for a row (of functions that match): slower, slower>5%, new,\n"
    "                      difference>20ms, calls_change>0%, …; may be given several times\n";

namespace {

void write_diff(const DiffOptions& options, const compare::Comparison& comparison, const compare::CombinedTree& tree,
                exports::Sink& sink) {
    switch (options.format) {
    case DiffFormat::Text:
        sink.text(base::foreign_text(compare::comparison_text(comparison, tree, options.text), "\n"));
        break;
    case DiffFormat::Csv:
        compare::write_csv(comparison, tree, sink);
        break;
    case DiffFormat::Folded:
        compare::write_folded(comparison, tree, sink);
        break;
    case DiffFormat::Json:
#ifdef HAVE_RAPIDJSON
        compare::write_json(comparison, tree, sink);
#endif
        break;
    case DiffFormat::Html:
        break;
    }
}

} // namespace

int print_diff(const char* verb, const DiffOptions& options, const compare::Runs& runs) {
    const compare::CombinedTree tree = compare::matched_tree(runs);
    const compare::Comparison comparison = compare::compare(runs, tree, options.measure, options.judging);
    if (options.output.empty() || options.output == "-") {
        exports::Sink sink([](std::span<const std::byte> bytes) {
            return std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size();
        });
        write_diff(options, comparison, tree, sink);
        sink.flush(); // what could not be written is told when the verb ends
    } else if (const int error = base::replace_file(options.output, [&](const base::FileSink& file) {
                   exports::Sink sink(file);
                   write_diff(options, comparison, tree, sink);
                   return sink.flush();
               })) {
        throw std::runtime_error(options.output + ": " + std::strerror(error));
    }
    int code = 0;
    const compare::RowNames names(tree, comparison.measure.paths);
    for (const compare::Condition& condition : options.fail_if)
        if (const std::string rows = compare::rows_that_fail(condition, comparison, names); !rows.empty()) {
            std::fprintf(stderr, "%s: %s\n", verb, base::foreign_text(rows).c_str());
            code = 1;
        }
    return code;
}

namespace {

// 0, or the exit code of a wrong usage, which they have told.
int take_by(const char* verb, compare::Measure& measure) {
    const std::string_view by = optarg;
    if (by != "sum" && by != "mean" && by != "max")
        return usage_error(verb, "--by is sum, mean or max, not ", optarg);
    measure.by = by == "sum" ? compare::By::Sum : by == "mean" ? compare::By::Mean : compare::By::Max;
    return 0;
}

int take_normalise(const char* verb, DiffOptions& options) {
    constexpr std::string_view Calls = "calls:";
    const std::string_view by = optarg;
    if (by == "time") {
        options.measure.divisor = compare::Divisor::ApplicationTime;
        return 0;
    }
    if (!by.starts_with(Calls) || by.size() == Calls.size())
        return usage_error(verb, "--normalise is time or calls:REGEX, not ", optarg);
    options.measure.divisor = compare::Divisor::Calls;
    options.calls_of.emplace(by.substr(Calls.size()));
    if (!options.calls_of->valid())
        return usage_error(verb, "--normalise: the regular expression is wrong: ", options.calls_of->error().c_str());
    return 0;
}

int take_format(const char* verb, DiffOptions& options) {
    constexpr std::string_view Formats[] = {"text", "json", "csv", "folded", "html"};
    const auto found = std::ranges::find(Formats, std::string_view(optarg));
    if (found == std::end(Formats))
        return usage_error(verb, "--format is text, json, csv, folded or html, not ", optarg);
    options.format = static_cast<DiffFormat>(found - std::begin(Formats));
    return 0;
}

int take_condition(const char* verb, DiffOptions& options) {
    try {
        options.fail_if.emplace_back(optarg);
        return 0;
    } catch (const std::invalid_argument& problem) {
        return usage_error(verb, "--fail-if=", problem.what());
    }
}

int take_noise(const char* verb, compare::Judging& judging) {
    constexpr Unit Percent[] = {{"", 1e6}, {"%", 1e6}};
    constexpr double Most = 1000;
    std::uint64_t millionths = 0; // of a percent
    if (!parse_quantity(optarg, Percent, millionths) || static_cast<double>(millionths) > Most * 1e6)
        return usage_error(verb, "--noise needs a percentage from 0 to 1000, not ", optarg);
    judging.noise = static_cast<double>(millionths) * 1e-8;
    return 0;
}

enum { Paths = 512, By, Normalise, Noise, All, MaxRows, Format, FailIf };

} // namespace

std::vector<option> with_diff_options(std::initializer_list<option> own) {
    std::vector<option> all(own);
    for (const option& one : {option{"paths", no_argument, nullptr, Paths},
                              {"by", required_argument, nullptr, By},
                              {"normalise", required_argument, nullptr, Normalise},
                              {"noise", required_argument, nullptr, Noise},
                              {"all", no_argument, nullptr, All},
                              {"max-rows", required_argument, nullptr, MaxRows},
                              {"format", required_argument, nullptr, Format},
                              {"fail-if", required_argument, nullptr, FailIf},
                              {nullptr, 0, nullptr, 0}})
        all.push_back(one);
    return all;
}

int take_diff_option(const char* verb, int which, DiffOptions& options) {
    options.only_format &= which == Format;
    switch (which) {
    case Paths:
        options.measure.paths = true;
        break;
    case By:
        return take_by(verb, options.measure);
    case Normalise:
        return take_normalise(verb, options);
    case Noise:
        return take_noise(verb, options.judging);
    case All:
        options.text.all = true;
        break;
    case MaxRows:
        if (!parse_number(optarg, options.text.max_rows))
            return usage_error(verb, "--max-rows needs a number from 0 on, not ", optarg);
        break;
    case Format:
        return take_format(verb, options);
    case FailIf:
        return take_condition(verb, options);
    }
    return 0;
}

int complete_diff_options(const char* verb, DiffOptions& options) {
    if (options.format == DiffFormat::Html && !options.only_format)
        return usage_error(verb, "--format=html is the page of both runs as they are, so it goes with no other option "
                                 "of a comparison");
    if (options.format == DiffFormat::Folded && options.measure.divisor != compare::Divisor::None)
        return usage_error(verb, "--format=folded has nanoseconds, so it does not go with --normalise");
#ifndef HAVE_RAPIDJSON
    if (options.format == DiffFormat::Json)
        throw std::runtime_error("vftrace was built without JSON: it needs RapidJSON");
#endif
    if (options.format == DiffFormat::Folded)
        options.measure.paths = true;
    if (options.calls_of)
        options.measure.calls_of = &*options.calls_of;
    options.text.noise = options.judging.noise;
    return 0;
}

} // namespace vftr::cli
