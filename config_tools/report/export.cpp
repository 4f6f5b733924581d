// SPDX-License-Identifier: BSD-3-Clause
//
// vftr export: the profile or the timeline of a run in the formats of other tools.
#include "config_tools/option_number.hpp"
#include "config_tools/report/export_file.hpp"
#include "config_tools/report/print_export.hpp"
#include "config_tools/report/run_files.hpp"
#include "config_tools/verb.hpp"

#include "advice/source_files.hpp"
#include "base/foreign_text.hpp"
#include "export/format.hpp"
#include "report/notes.hpp"
#include "report/report.hpp"
#include "symbols/pattern.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::cli {
namespace {

struct Wanted {
    std::vector<const exports::Format*> formats;
    std::string output; // empty: named after the run; "-": standard output
    bool each_rank = false, no_timeline = false, lines = false;
    exports::Options options;
    analysis::Selection selection;
    std::uint64_t most_bytes = 400'000'000;
    const char* needs_timeline = nullptr; // the option that selects parts of a timeline
};

void print_help() {
    std::fputs(
        "usage: vftr export --format=NAME[,NAME…] [OPTION…] FILE…\n\n"
        "Writes the profile or the timeline of a run, from the vfd files of its ranks or from the merged one, for other\n"
        "tools.\n\n"
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
        "  --weight=calls  folded, pprof: calls instead of nanoseconds\n"
        "  --min-share=PERCENT\n"
        "                  dot: leaves out what has less of the time; default: 0.5\n"
        "  --reverse       flamegraph: callers below what they call\n"
        "  --lines         with the source file and line of each function, from debug information\n"
        "  --ranks=LIST    only these ranks: 0-3,7\n"
        "of a timeline:\n"
        "  --threads=LIST  only these threads of each process\n"
        "  --functions=REGEX\n"
        "                  only calls of functions whose names match\n"
        "  --from=SECONDS, --to=SECONDS\n"
        "                  only what happened between these times since the start; also with a unit: 20ms\n"
        "  --min-duration=SECONDS\n"
        "                  leave shorter calls out; also with a unit: 5us\n"
        "  --max-size=MB   leave the shortest calls out until the file is that small; default: 400; also 2G\n"
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

constexpr Unit Durations[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"µs", 1e3}, {"ns", 1}};

constexpr Unit Sizes[] = {{"M", 1e6}, {"k", 1e3}, {"G", 1e9}};

bool parse_list(const char* text, config::RankSet& list) {
    const auto parsed = config::RankSet::parse(text, nullptr);
    if (parsed)
        list = *parsed;
    return parsed.has_value();
}

// Adds the formats of a list with commas.
void add_formats(std::vector<const exports::Format*>& formats, std::string_view list) {
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t comma = std::min(list.find(',', at), list.size());
        const std::string_view name = list.substr(at, comma - at);
        formats.push_back(&export_format(name));
        at = comma + 1;
    }
}

std::vector<std::int32_t> selected_ranks(const RunFiles& files, const config::RankSet& selection) {
    std::vector<std::int32_t> ranks;
    for (const std::int32_t rank : files.ranks())
        if (selection.contains(rank))
            ranks.push_back(rank);
    if (ranks.empty())
        throw std::runtime_error("--ranks: no file is of rank " + selection.text());
    return ranks;
}

// The run's data, and what of it the formats need.
class Exported {
public:
    Exported(const RunFiles& files, const Wanted& wanted) : files_(files), wanted_(wanted), all_(files.profile()) {
        const bool all_ranks = wanted.selection.ranks == config::RankSet::all();
        if ((wanted.each_rank || !all_ranks) && files.merged())
            throw std::runtime_error(files.config_label() + ": is the sum over all ranks; " +
                                     (wanted.each_rank ? "--each-rank" : "--ranks") + " needs the files of the ranks");
        subject_.application = base::foreign_text(all_.application);
        subject_.remarks = report::notes(all_, {});
        if (wanted.lines)
            add_places();
        const bool with_timeline =
            std::ranges::any_of(wanted.formats, [&](const exports::Format* format) { return takes_timeline(*format); });
        add_parts(all_ranks, with_timeline);
        if (with_timeline)
            add_timeline();
    }

    void write(const exports::Format& format, const std::string& path) {
        const bool with_timeline = timeline_ && takes_timeline(format);
        const std::size_t remarks = subject_.remarks.size();
        subject_.timeline = with_timeline ? timeline_.get() : nullptr;
        if (with_timeline) {
            subject_.remarks.insert(subject_.remarks.end(), timeline_remarks_.begin(), timeline_remarks_.end());
        } else if (format.needs == exports::Needs::Timeline) {
            throw std::runtime_error(files_.config_label() + ": has no timeline, which " + std::string(format.name) +
                                     " needs: record with sampling.active" +
                                     (files_.merged() ? ", and give the files of the ranks" : ""));
        } else if (wanted_.needs_timeline)
            throw std::runtime_error(std::string(wanted_.needs_timeline) + " needs a timeline, and " +
                                     std::string(format.name) + " is made from the profile");
        write_export(format, subject_, with_timeline ? timeline_.get() : nullptr, wanted_.options, path,
                     wanted_.most_bytes);
        subject_.remarks.resize(remarks);
        if (wanted_.output.empty()) // a name that the user does not know
            std::printf("%s\n", base::foreign_text(path).c_str());
    }

private:
    bool takes_timeline(const exports::Format& format) const {
        return format.needs == exports::Needs::Timeline ||
               (format.needs == exports::Needs::Either && !wanted_.no_timeline);
    }

    // A copy of millions of call paths is made only where it must be.
    void add_parts(bool all_ranks, bool keep_all) {
        if (wanted_.each_rank)
            for (const std::int32_t rank : selected_ranks(files_, wanted_.selection.ranks))
                subject_.parts.push_back({"rank " + std::to_string(rank), files_.profile_of_rank(rank)});
        else if (!all_ranks)
            subject_.parts.push_back({"ranks " + wanted_.selection.ranks.text(),
                                      files_.profile_of_ranks(selected_ranks(files_, wanted_.selection.ranks))});
        else
            subject_.parts.push_back(
                {all_.rank_count > 1 ? "all ranks" : "all calls", keep_all ? all_ : std::move(all_)});
    }

    void add_places() {
        const auto places = advice::source_places(files_.images(), all_.names);
        if (places.empty())
            std::fprintf(stderr,
                         "vftr: no debug information of the program was found: compile with -g, and export where the "
                         "program is\n");
        for (const auto& [name, place] : places)
            subject_.places.emplace(name, exports::SourcePlace{base::foreign_text(place.file), place.line});
    }

    void add_timeline() {
        timeline_ = std::make_unique<analysis::RunTimeline>(files_.images(), all_, wanted_.selection);
        if (timeline_->processes().empty()) {
            timeline_.reset();
            return;
        }
        std::uint64_t cut = 0;
        for (const analysis::RunThread& thread : timeline_->threads())
            cut += !thread.complete;
        if (cut != 0)
            timeline_remarks_.push_back("The timelines of " + std::to_string(cut) +
                                        " threads end early, as their process was killed or the file is damaged");
        if (std::ranges::any_of(timeline_->processes(), [](const auto& process) { return !process.exact; }))
            timeline_remarks_.push_back(
                "The timeline has one event at each sampling.sample_interval; what is between them is not known");
        timeline_remarks_.push_back("Times of the timeline contain the cost of recording");
        if (wanted_.selection.shortest != 0)
            timeline_remarks_.push_back("Calls shorter than " + std::to_string(wanted_.selection.shortest) +
                                        " ns are left out (--min-duration)");
    }

    const RunFiles& files_;
    const Wanted& wanted_;
    analysis::Profile all_; // empty where only subject_ needs it
    exports::Subject subject_;
    std::unique_ptr<analysis::RunTimeline> timeline_; // nullptr: there is none, or nothing needs it
    std::vector<std::string> timeline_remarks_;
};

void refuse_input(const std::string& output, const std::vector<std::string>& inputs) {
    std::error_code error;
    for (const std::string& input : inputs)
        if (std::filesystem::equivalent(output, input, error))
            throw std::runtime_error(base::foreign_text(output) +
                                     ": this is a file to be exported; give another one to --output");
}

} // namespace

const exports::Format& export_format(std::string_view name) {
    const exports::Format* format = exports::find_format(name);
    if (!format)
        throw std::runtime_error("--format: there is no format '" + base::foreign_text(name) + "', there are " +
                                 known_formats());
    return *format;
}

void print_export(const RunFiles& files, const exports::Format& format, std::optional<std::int32_t> rank) {
    Wanted wanted;
    wanted.formats = {&format};
    wanted.output = "-";
    if (rank)
        wanted.selection.ranks = *config::RankSet::parse(std::to_string(*rank), nullptr);
    Exported(files, wanted).write(format, wanted.output);
}

int verb_export(int argc, char** argv) {
    enum {
        EachRank = 256,
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
        Lines,
        Reverse
    };
    static const option Known[] = {{"format", required_argument, nullptr, 'f'},
                                   {"output", required_argument, nullptr, 'o'},
                                   {"each-rank", no_argument, nullptr, EachRank},
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
                                   {"reverse", no_argument, nullptr, Reverse},
                                   {"lines", no_argument, nullptr, Lines},
                                   {"help", no_argument, nullptr, 'h'},
                                   {nullptr, 0, nullptr, 0}};
    Wanted wanted;
    analysis::Selection& selection = wanted.selection;
    const auto early = read_options(argc, argv, ":f:o:h", Known, print_help, [&](int c) {
        switch (c) {
        case 'f':
            add_formats(wanted.formats, optarg);
            break;
        case 'o':
            wanted.output = optarg;
            break;
        case EachRank:
            wanted.each_rank = true;
            break;
        case WeightOf:
            if (std::string_view(optarg) != "time" && std::string_view(optarg) != "calls")
                return usage_error(argv[0], "--weight is time or calls, not ", optarg);
            wanted.options.weight =
                std::string_view(optarg) == "calls" ? exports::Weight::Calls : exports::Weight::Time;
            break;
        case MinShare:
            if (!parse_number(optarg, wanted.options.min_share) ||
                !(wanted.options.min_share >= 0 && wanted.options.min_share <= 100))
                return usage_error(argv[0], "--min-share needs a number of percent from 0 to 100, not ", optarg);
            break;
        case Ranks:
            if (!parse_list(optarg, selection.ranks))
                return usage_error(argv[0], "--ranks needs a list of numbers such as 0-3,7, not ", optarg);
            break;
        case Threads:
            wanted.needs_timeline = "--threads";
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
            wanted.needs_timeline = "--from";
            if (!parse_quantity(optarg, Durations, selection.from))
                return usage_error(argv[0], "--from needs a number of seconds, or one with s, ms, us or ns, not ",
                                   optarg);
            break;
        case To:
            wanted.needs_timeline = "--to";
            if (!parse_quantity(optarg, Durations, selection.to))
                return usage_error(argv[0], "--to needs a number of seconds, or one with s, ms, us or ns, not ",
                                   optarg);
            break;
        case MinDuration:
            wanted.needs_timeline = "--min-duration";
            if (!parse_quantity(optarg, Durations, selection.shortest))
                return usage_error(
                    argv[0], "--min-duration needs a number of seconds, or one with s, ms, us or ns, not ", optarg);
            break;
        case MaxSize:
            if (!parse_quantity(optarg, Sizes, wanted.most_bytes) || wanted.most_bytes == 0)
                return usage_error(argv[0], "--max-size needs a number of megabytes, or one with k, M or G, not ",
                                   optarg);
            break;
        case Reverse:
            wanted.options.reverse = true;
            break;
        case Lines:
            wanted.lines = true;
            break;
        case NoTimeline:
            wanted.no_timeline = true;
            break;
        }
        return 0;
    });
    if (early)
        return *early;
    if (wanted.formats.empty())
        return usage_error(argv[0], "--format is missing");
    if (optind == argc)
        return usage_error(argv[0], "a FILE is missing");
    if (wanted.formats.size() > 1 && !wanted.output.empty())
        return usage_error(argv[0], "--output takes one format; several are named after the run");
    if (selection.from > selection.to)
        return usage_error(argv[0], "--from is after --to");
    const std::vector<std::string> inputs(argv + optind, argv + argc);
    const RunFiles files(inputs);
    Exported exported(files, wanted);
    const std::string stem = report::log_stem(files.basename(), -1, files.size());
    if (!wanted.output.empty() && wanted.output != "-")
        refuse_input(wanted.output, inputs);
    for (const exports::Format* format : wanted.formats)
        exported.write(*format, wanted.output.empty() ? stem + '.' + std::string(format->suffix) : wanted.output);
    return 0;
}

} // namespace vftr::cli
