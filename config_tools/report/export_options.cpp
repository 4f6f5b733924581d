// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/report/export_options.hpp"

#include "config_tools/option_number.hpp"
#include "config_tools/syntax/takers.hpp"
#include "config_tools/verb.hpp"

#include "base/foreign_text.hpp"
#include "export/tables/tables.hpp"
#include "symbols/pattern.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>

namespace vftr::cli {
namespace {

std::vector<Choice> format_choices() {
    std::vector<Choice> choices;
    for (const exports::Format& format : exports::formats())
        choices.push_back({std::string(format.name), std::string(format.help)});
    return choices;
}

std::vector<Choice> table_choices() {
    std::vector<Choice> choices;
    for (const exports::Table* table : exports::tables())
        choices.push_back({std::string(table->name), std::string(table->help)});
    return choices;
}

std::string known_formats() {
    std::string names;
    for (const exports::Format& format : exports::formats())
        names.append(names.empty() ? "" : ", ").append(format.name);
    return names;
}

const exports::Table& export_table(std::string_view name) {
    if (const exports::Table* table = exports::find_table(name))
        return *table;
    std::string known;
    for (const exports::Table* table : exports::tables())
        known.append(known.empty() ? "" : ", ").append(table->name);
    throw std::runtime_error("--table: there is no table '" + base::foreign_text(name) + "', there are " + known);
}

constexpr Unit Durations[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"µs", 1e3}, {"ns", 1}};

constexpr Unit Sizes[] = {{"M", 1e6}, {"k", 1e3}, {"G", 1e9}};

Take list_of_numbers(config::RankSet& list) {
    return [&list](const Given& given) {
        const auto parsed = config::RankSet::parse(given.value, nullptr);
        if (!parsed)
            return given.refuse("needs a list of numbers such as 0-3,7");
        list = *parsed;
        return 0;
    };
}

int take_share(const Given& given, double& share) {
    double value = 0;
    if (!parse_number(given.value, value) || !(value >= 0 && value <= 100))
        return given.refuse("needs a number of percent from 0 to 100");
    share = value;
    return 0;
}

// `find` gets the names of a list with commas.
template <class Known>
Take named(std::vector<const Known*>& all, const Known& (*find)(std::string_view)) {
    return [&all, find](const Given& given) {
        const std::string_view list = given.value;
        for (std::size_t at = 0; at <= list.size();) {
            const std::size_t comma = std::min(list.find(',', at), list.size());
            all.push_back(&find(list.substr(at, comma - at)));
            at = comma + 1;
        }
        return 0;
    };
}

} // namespace

bool has_tables(const exports::Format& format) { return format.name == "csv"; }
bool has_ranks_side_by_side(const exports::Format& format) { return format.name == "html"; }

const exports::Format& page_format() {
    const exports::Format* page = exports::find_format("html");
    if (!page)
        throw std::runtime_error("vftrace was built without the page: it needs RapidJSON, zlib and esbuild");
    return *page;
}

const exports::Format& export_format(std::string_view name) {
    const exports::Format* format = exports::find_format(name);
    if (!format)
        throw std::runtime_error("--format: there is no format '" + base::foreign_text(name) + "', there are " +
                                 known_formats());
    return *format;
}

Option max_size_option(ExportOptions& wanted, const char* help) {
    return {"--max-size=MB", help, [&wanted](const Given& given) {
                if (parse_quantity(given.value, Sizes, wanted.most_bytes.emplace()) && wanted.most_bytes != 0)
                    return 0;
                return given.refuse("needs a number of megabytes, or one with k, M or G");
            }};
}

Option ranks_option(ExportOptions& wanted) {
    return {"--ranks=LIST", "only these ranks: 0-3,7", list_of_numbers(wanted.selection.ranks)};
}

namespace {

// What selects parts of a timeline.
Take of_timeline(ExportOptions& wanted, Take take) {
    return [&wanted, take = std::move(take)](const Given& given) {
        wanted.needs_timeline = given.option.shown();
        return take(given);
    };
}

Take duration(ExportOptions& wanted, auto& ns) {
    return of_timeline(wanted, [&ns](const Given& given) {
        return parse_quantity(given.value, Durations, ns)
                   ? 0
                   : given.refuse("needs a number of seconds, or one with s, ms, us or ns");
    });
}

Take functions_that_match(ExportOptions& wanted) {
    return of_timeline(wanted, [&wanted](const Given& given) {
        const auto pattern = std::make_shared<symbols::Pattern>(given.value);
        if (!pattern->valid())
            return usage_error(given.verb, ("--functions: " + pattern->error() + ": ").c_str(), given.value);
        wanted.selection.function = [pattern](const std::string& name) { return pattern->matches(name); };
        return 0;
    });
}

Syntax syntax_of_export(ExportOptions& wanted) {
    return {
        .usage = {"--format=NAME[,NAME…] [OPTION…] FILE|DIR…"},
        .about =
            "Writes the profile or the timeline of a run, from the vfd files of its ranks or from the merged one, for other\n"
            "tools. Of a folder all vfd files are taken, of one run or of several, as that of vftr run.\n",
        .options = {
            {"-f, --format=NAME[,NAME…]", "of these, or several of them:", named(wanted.formats, export_format),
             format_choices},
            {"-o, --output=FILE",
             "where to write one format, - for standard output; default: a file in the current folder that is named after "
             "the run and the format, such as solver_all.folded",
             text(wanted.output)},
            {"--each-rank", "a profile for each rank instead of one of all", flag(wanted.each_rank)},
            {"--each-thread", "a profile for each thread of each process", flag(wanted.each_thread)},
            {"--weight=time|calls", "folded, pprof: calls instead of nanoseconds",
             one_of(wanted.format.weight, {exports::Weight::Time, exports::Weight::Calls})},
            {"--min-share=PERCENT", "dot: leaves out what has less of the time; default: 0.5",
             [&wanted](const Given& given) { return take_share(given, wanted.format.min_share); }},
            {"--reverse", "flamegraph: callers below what they call", flag(wanted.format.reverse)},
            {"--table=NAME[,NAME…]",
             "csv: which tables, a file each, such as solver_all.functions.csv; default: paths. There are",
             named(wanted.tables, export_table), table_choices},
            {"--lines", "with the source file and line of each function, from debug information", flag(wanted.lines)},
            ranks_option(wanted),
            {"--threads=LIST", "only these threads of each process", list_of_numbers(wanted.selection.threads)},
            {"", "of a timeline:"},
            {"--functions=REGEX", "only calls of functions whose names match", functions_that_match(wanted)},
            {"--from=SECONDS", "only what happened from this time since the start on; also with a unit: 20ms",
             duration(wanted, wanted.selection.from)},
            {"--to=SECONDS", "only what happened up to this time since the start",
             duration(wanted, wanted.selection.to)},
            {"--min-duration=SECONDS", "leave shorter calls out; also with a unit: 5us",
             duration(wanted, wanted.selection.shortest)},
            max_size_option(
                wanted, "leave the shortest calls out until the file is that small; also 2G; default: 400 for viewers "
                        "that load a whole file (chrome, html, perfetto, speedscope)"),
            {"--split", "perfetto: a folder with a file for each rank and a manifest",
             of_timeline(wanted, flag(wanted.format.split))},
            {"--no-timeline", "the profile, where a format can have either", flag(wanted.no_timeline)}}};
}

} // namespace

std::optional<int> read_export_options(int argc, char** argv, ExportOptions& wanted) {
    const auto early = read_options(argc, argv, syntax_of_export(wanted));
    if (early)
        return early;
    if (wanted.formats.empty())
        return usage_error(argv[0], "--format is missing");
    if (optind == argc)
        return usage_error(argv[0], "a FILE is missing");
    if (wanted.formats.size() > 1 && !wanted.output.empty())
        return usage_error(argv[0], "--output takes one format; several are named after the run");
    if (wanted.tables.size() > 1 && !wanted.output.empty())
        return usage_error(argv[0], "--output takes one table; several are named after the run");
    if (!wanted.tables.empty() &&
        std::ranges::none_of(wanted.formats, [](const exports::Format* format) { return has_tables(*format); }))
        return usage_error(argv[0], "--table is for csv, not for ", std::string(wanted.formats.front()->name).c_str());
    for (const exports::Format* format : wanted.formats)
        if (wanted.format.split && !(format->write && format->write_folder))
            return usage_error(argv[0], "--split is for perfetto, not for ", std::string(format->name).c_str());
    for (const exports::Format* format : wanted.formats)
        if (wanted.most_bytes && format->needs == exports::Needs::Profile)
            return usage_error(argv[0], "--max-size leaves out calls of timelines, which are not in ",
                               std::string(format->name).c_str());
    if (wanted.selection.from > wanted.selection.to)
        return usage_error(argv[0], "--from is after --to");
    return std::nullopt;
}

} // namespace vftr::cli
