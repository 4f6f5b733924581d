// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/report/export_options.hpp"

#include "config_tools/option_number.hpp"
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

void print_export_help() {
    std::fputs(
        "usage: vftr export --format=NAME[,NAME…] [OPTION…] FILE|DIR…\n\n"
        "Writes the profile or the timeline of a run, from the vfd files of its ranks or from the merged one, for other\n"
        "tools. Of a folder all vfd files are taken, of one run or of several, as that of vftr run.\n\n"
        "  --format NAME   of these, or several of them:\n",
        stdout);
    for (const exports::Format& format : exports::formats())
        std::printf("                    %-12.*s%.*s\n", static_cast<int>(format.name.size()), format.name.data(),
                    static_cast<int>(format.help.size()), format.help.data());
    std::fputs(
        "  -o, --output=FILE\n"
        "                  where to write one format, - for standard output; default: a file in the current folder\n"
        "                  that is named after the run and the format, such as solver_all.folded\n"
        "  --each-rank     a profile for each rank instead of one of all\n"
        "  --each-thread   a profile for each thread of each process\n"
        "  --weight=calls  folded, pprof: calls instead of nanoseconds\n"
        "  --min-share=PERCENT\n"
        "                  dot: leaves out what has less of the time; default: 0.5\n"
        "  --reverse       flamegraph: callers below what they call\n"
        "  --table=NAME[,NAME…]\n"
        "                  csv: which tables, a file each, such as solver_all.functions.csv; default: paths. There are\n",
        stdout);
    for (const exports::Table* table : exports::tables())
        std::printf("                    %-18.*s%.*s\n", static_cast<int>(table->name.size()), table->name.data(),
                    static_cast<int>(table->help.size()), table->help.data());
    std::fputs(
        "  --lines         with the source file and line of each function, from debug information\n"
        "  --ranks=LIST    only these ranks: 0-3,7\n"
        "  --threads=LIST  only these threads of each process\n"
        "of a timeline:\n"
        "  --functions=REGEX\n"
        "                  only calls of functions whose names match\n"
        "  --from=SECONDS, --to=SECONDS\n"
        "                  only what happened between these times since the start; also with a unit: 20ms\n"
        "  --min-duration=SECONDS\n"
        "                  leave shorter calls out; also with a unit: 5us\n"
        "  --max-size=MB   leave the shortest calls out until the file is that small; also 2G; default: 400 for viewers that\n"
        "                  load a whole file (chrome, html, perfetto, speedscope)\n"
        "  --split         perfetto: a folder with a file for each rank and a manifest\n"
        "  --no-timeline   the profile, where a format can have either\n"
        "  --help          print this\n",
        stdout);
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

bool parse_list(const char* text, config::RankSet& list) {
    const auto parsed = config::RankSet::parse(text, nullptr);
    if (parsed)
        list = *parsed;
    return parsed.has_value();
}

// `find` gets the names of a list with commas.
template <class Known>
void add_named(std::vector<const Known*>& all, std::string_view list, const Known& (*find)(std::string_view)) {
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t comma = std::min(list.find(',', at), list.size());
        all.push_back(&find(list.substr(at, comma - at)));
        at = comma + 1;
    }
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

int take_max_size(const char* verb, ExportOptions& wanted) {
    if (parse_quantity(optarg, Sizes, wanted.most_bytes.emplace()) && wanted.most_bytes != 0)
        return 0;
    return usage_error(verb, "--max-size needs a number of megabytes, or one with k, M or G, not ", optarg);
}

int take_ranks(const char* verb, ExportOptions& wanted) {
    if (parse_list(optarg, wanted.selection.ranks))
        return 0;
    return usage_error(verb, "--ranks needs a list of numbers such as 0-3,7, not ", optarg);
}

std::optional<int> read_export_options(int argc, char** argv, ExportOptions& wanted) {
    enum {
        EachRank = 256,
        EachThread,
        WeightOf,
        MinShare,
        Ranks,
        Threads,
        Functions,
        From,
        To,
        MinDuration,
        MaxSize,
        NoTimeline,
        Split,
        Lines,
        Reverse,
        TableOf
    };
    static const option Known[] = {{"format", required_argument, nullptr, 'f'},
                                   {"output", required_argument, nullptr, 'o'},
                                   {"each-rank", no_argument, nullptr, EachRank},
                                   {"each-thread", no_argument, nullptr, EachThread},
                                   {"weight", required_argument, nullptr, WeightOf},
                                   {"min-share", required_argument, nullptr, MinShare},
                                   {"ranks", required_argument, nullptr, Ranks},
                                   {"threads", required_argument, nullptr, Threads},
                                   {"functions", required_argument, nullptr, Functions},
                                   {"from", required_argument, nullptr, From},
                                   {"to", required_argument, nullptr, To},
                                   {"min-duration", required_argument, nullptr, MinDuration},
                                   {"max-size", required_argument, nullptr, MaxSize},
                                   {"no-timeline", no_argument, nullptr, NoTimeline},
                                   {"split", no_argument, nullptr, Split},
                                   {"reverse", no_argument, nullptr, Reverse},
                                   {"lines", no_argument, nullptr, Lines},
                                   {"table", required_argument, nullptr, TableOf},
                                   {"help", no_argument, nullptr, 'h'},
                                   {nullptr, 0, nullptr, 0}};
    analysis::Selection& selection = wanted.selection;
    const auto duration = [&](const char* name, auto& ns) {
        wanted.needs_timeline = name;
        const std::string needs = std::string(name) + " needs a number of seconds, or one with s, ms, us or ns, not ";
        return parse_quantity(optarg, Durations, ns) ? 0 : usage_error(argv[0], needs.c_str(), optarg);
    };
    const auto early = read_options(argc, argv, ":f:o:h", Known, print_export_help, [&](int c) {
        switch (c) {
        case 'f':
            add_named(wanted.formats, optarg, export_format);
            break;
        case 'o':
            wanted.output = optarg;
            break;
        case EachRank:
            wanted.each_rank = true;
            break;
        case EachThread:
            wanted.each_thread = true;
            break;
        case WeightOf:
            if (std::string_view(optarg) != "time" && std::string_view(optarg) != "calls")
                return usage_error(argv[0], "--weight is time or calls, not ", optarg);
            wanted.format.weight = std::string_view(optarg) == "calls" ? exports::Weight::Calls : exports::Weight::Time;
            break;
        case MinShare:
            if (!parse_number(optarg, wanted.format.min_share) ||
                !(wanted.format.min_share >= 0 && wanted.format.min_share <= 100))
                return usage_error(argv[0], "--min-share needs a number of percent from 0 to 100, not ", optarg);
            break;
        case Ranks:
            return take_ranks(argv[0], wanted);
        case Threads:
            if (!parse_list(optarg, selection.threads))
                return usage_error(argv[0], "--threads needs a list of numbers such as 0-3,7, not ", optarg);
            break;
        case Functions: {
            wanted.needs_timeline = "--functions";
            const auto pattern = std::make_shared<symbols::Pattern>(optarg);
            if (!pattern->valid())
                return usage_error(argv[0], ("--functions: " + pattern->error() + ": ").c_str(), optarg);
            selection.function = [pattern](const std::string& name) { return pattern->matches(name); };
            break;
        }
        case From:
            return duration("--from", selection.from);
        case To:
            return duration("--to", selection.to);
        case MinDuration:
            return duration("--min-duration", selection.shortest);
        case MaxSize:
            return take_max_size(argv[0], wanted);
        case Reverse:
            wanted.format.reverse = true;
            break;
        case Lines:
            wanted.lines = true;
            break;
        case TableOf:
            add_named(wanted.tables, optarg, export_table);
            break;
        case Split:
            wanted.format.split = true;
            wanted.needs_timeline = "--split";
            break;
        case NoTimeline:
            wanted.no_timeline = true;
            break;
        }
        return 0;
    });
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
    if (selection.from > selection.to)
        return usage_error(argv[0], "--from is after --to");
    return std::nullopt;
}

} // namespace vftr::cli
