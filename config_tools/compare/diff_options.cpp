// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/compare/diff_options.hpp"

#include "config_tools/exit_code.hpp"
#include "config_tools/option_number.hpp"
#include "config_tools/syntax/takers.hpp"
#include "config_tools/tell/colour.hpp"
#include "config_tools/tell/message.hpp"
#include "config_tools/tell/painted_text.hpp"
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
#include <unistd.h>

namespace vftr::cli {

namespace {

void write_diff(const DiffOptions& options, const compare::Comparison& comparison, const compare::CombinedTree& tree,
                bool with_colours, exports::Sink& sink) {
    switch (options.format) {
    case DiffFormat::Text: {
        const std::string text = base::foreign_text(compare::comparison_text(comparison, tree, options.text), "\n");
        sink.text(with_colours ? painted(text) : text);
        break;
    }
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
        write_diff(options, comparison, tree, has_colours(STDOUT_FILENO), sink);
        sink.flush(); // what could not be written is told when the verb ends
    } else if (const int error = base::replace_file(options.output, [&](const base::FileSink& file) {
                   exports::Sink sink(file);
                   write_diff(options, comparison, tree, colour_wish() == ColourWish::Always, sink);
                   return sink.flush();
               })) {
        throw std::runtime_error(options.output + ": " + std::strerror(error));
    }
    int code = 0;
    const compare::RowNames names(tree, comparison.measure.paths);
    for (const compare::Condition& condition : options.fail_if)
        if (const std::string rows = compare::rows_that_fail(condition, comparison, names); !rows.empty()) {
            tell_error(verb, rows);
            code = ExitFailed;
        }
    return code;
}

namespace {

// Each returns 0, or the exit code of a wrong usage, which it has told.
int take_normalise(const Given& given, DiffOptions& options) {
    constexpr std::string_view Calls = "calls:";
    const std::string_view by = given.value;
    if (by == "time") {
        options.measure.divisor = compare::Divisor::ApplicationTime;
        return 0;
    }
    if (!by.starts_with(Calls) || by.size() == Calls.size())
        return given.refuse("is time or calls:REGEX");
    options.measure.divisor = compare::Divisor::Calls;
    options.calls_of.emplace(by.substr(Calls.size()));
    if (!options.calls_of->valid())
        return usage_error(given.verb,
                           "--normalise: the regular expression is wrong: ", options.calls_of->error().c_str());
    return 0;
}

int take_condition(const Given& given, DiffOptions& options) {
    try {
        options.fail_if.emplace_back(given.value);
        return 0;
    } catch (const std::invalid_argument& problem) {
        return usage_error(given.verb, "--fail-if=", problem.what());
    }
}

int take_noise(const Given& given, compare::Judging& judging) {
    constexpr Unit Percent[] = {{"", 1e6}, {"%", 1e6}};
    constexpr double Most = 1000;
    std::uint64_t millionths = 0; // of a percent
    if (!parse_quantity(given.value, Percent, millionths) || static_cast<double>(millionths) > Most * 1e6)
        return given.refuse("needs a percentage from 0 to 1000");
    judging.noise = static_cast<double>(millionths) * 1e-8;
    return 0;
}

} // namespace

void add_diff_options(std::vector<Option>& all, DiffOptions& options) {
    const std::size_t own = all.size();
    all.insert(
        all.end(),
        {{"--paths", "a row for each call path, not for each function", flag(options.measure.paths)},
         {"--by=sum|mean|max", "over ranks: their sum, a rank on average, the rank that has most; default: sum",
          one_of(options.measure.by, {compare::By::Sum, compare::By::Mean, compare::By::Max})},
         {"--normalise=time|calls:REGEX",
          "times in percent of the application time of the run, or by the number of calls of the functions that match",
          [&](const Given& given) { return take_normalise(given, options); }},
         {"--noise=PERCENT",
          "by how much two runs of one program may differ, where there is one run each; default: 100",
          [&](const Given& given) { return take_noise(given, options.judging); }},
         {"--all", "rows without a finding, too", flag(options.text.all)},
         {"--max-rows=N", "the most rows of the table; 0 shows all; default: 50", number(options.text.max_rows)},
         {"--fail-if=[REGEX:]CONDITION",
          "exit code 1 if it holds for a row (of functions that match): slower, slower>5%, new, difference>20ms, "
          "calls_change>0%, …; may be given several times",
          [&](const Given& given) { return take_condition(given, options); }}});
    for (std::size_t i = own; i < all.size(); ++i)
        all[i].take = [&options, take = std::move(all[i].take)](const Given& given) {
            options.only_format = false;
            return take(given);
        };
    all.push_back({"--format=text|json|csv|folded|html",
                   "folded: stacks with the nanoseconds of both sides, for flamegraph.pl; html: the page of vftr html "
                   "BASE… --versus NEW…",
                   one_of(options.format, {DiffFormat::Text, DiffFormat::Json, DiffFormat::Csv, DiffFormat::Folded,
                                           DiffFormat::Html})});
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
