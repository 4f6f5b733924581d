// SPDX-License-Identifier: BSD-3-Clause
//
// vftr report: the text log of a run, made from its files by the code that makes it at the end of a
// run. Of a folder, or of files of several processes: report_tree.cpp.
#include "config_tools/exit_code.hpp"
#include "config_tools/option_number.hpp"
#include "config_tools/own_name.hpp"
#include "config_tools/report/export_options.hpp"
#include "config_tools/report/exported_run.hpp"
#include "config_tools/report/findings.hpp"
#include "config_tools/report/recordings_of.hpp"
#include "config_tools/report/report_options.hpp"
#include "config_tools/report/run_files.hpp"
#include "config_tools/report/run_input.hpp"
#include "config_tools/report/single_call_durations.hpp"
#include "config_tools/syntax/takers.hpp"
#include "config_tools/verb.hpp"

#include "analysis/processes/process_tree.hpp"
#include "report/report.hpp"
#include "symbols/pattern.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace vftr::cli {
namespace {

// Files of several processes of one rank, or of several runs: they get a log for each program. Whether one profile can
// be made of them is another question, which RunFiles answers: a rank and its forked children are of one run.
bool are_several(const std::vector<std::string>& paths) {
    if (paths.size() < 2)
        return false;
    RecordingsFound found = recordings_of(paths, Complaints::None);
    if (found.recordings.size() < 2)
        return false;
    const analysis::ProcessTree tree(std::move(found.recordings));
    using Kind = analysis::ProcessNode::Kind;
    const auto& nodes = tree.nodes();
    const auto jobs =
        std::count_if(nodes.begin(), nodes.end(), [](const auto& node) { return node.kind == Kind::Job; });
    const auto programs =
        std::count_if(nodes.begin(), nodes.end(), [](const auto& node) { return node.kind == Kind::Program; });
    if (jobs == 0)
        return programs > 1;
    const auto job = std::find_if(nodes.begin(), nodes.end(), [](const auto& node) { return node.kind == Kind::Job; });
    return jobs > 1 || programs > static_cast<std::ptrdiff_t>(job->ranks);
}

bool has_tree_option(const ReportOptions& options) {
    return options.only_tree || options.each || options.program || options.pid || options.all || options.wide;
}

class Writer {
public:
    Writer(const ReportOptions& options, const RunFiles& files)
        : options_(options), files_(files),
          config_(report_config(options, std::string(files.config_text()), files.config_label(), files.config_file())) {
        for (const vfd::Image& image : files.images())
            tell_of_kept_names(image);
    }

    void write() const {
        if (options_.rank) {
            write_log(files_.profile_of_rank(*options_.rank), *options_.rank);
            return;
        }
        write_log(files_.profile(), -1);
        if (!options_.directory || files_.merged())
            return;
        for (std::int32_t rank : files_.ranks())
            if (config_.config.logfile_for_ranks.contains(rank))
                write_log(files_.profile_of_rank(rank), rank);
    }

private:
    void write_log(const analysis::Profile& profile, std::int32_t rank) const {
        std::optional<std::vector<analysis::PathDurations>> durations;
        if (config_.config.profile_table_show_distribution && profile.durations.empty())
            durations = durations_of_profile(files_, profile, rank < 0 ? std::nullopt : std::optional(rank));
        write_logs(options_, profile, config_, report::log_stem(files_.basename(), rank, files_.size()),
                   durations ? &*durations : nullptr);
    }

    const ReportOptions& options_;
    const RunFiles& files_;
    config::Loaded config_;
};

Take number_from_0(std::optional<std::int32_t>& variable, const char* is_wrong) {
    return [&variable, is_wrong](const Given& given) {
        std::int32_t value = 0;
        if (!parse_number(given.value, value) || value < 0)
            return given.refuse(is_wrong);
        variable = value;
        return 0;
    };
}

// Those of vftr export that have what the log has.
bool is_of_scripts(std::string_view format) { return format == "json" || format == "csv"; }

} // namespace

int verb_report(int argc, char** argv) {
    ReportOptions options;
    const char* format = nullptr;
    std::optional<symbols::Pattern> histogram; // of these functions
    const Take take_format = [&](const Given& given) {
        format = given.value;
        return is_of_scripts(format) ? 0 : given.refuse("is json or csv (" + own_command("export") + " has others)");
    };
    const Take take_histogram = [&](const Given& given) {
        if (histogram.emplace(given.value).valid())
            return 0;
        return usage_error(argv[0], "--histogram: the regular expression is wrong: ", histogram->error().c_str());
    };
    const auto early = read_options(
        argc, argv,
        {.usage = {"[OPTION…] FILE…", "[OPTION…] DIR"},
         .about =
             "Prints the log of a run, made from the vfd files of its ranks or from the merged one. Of a folder, or of files of\n"
             "several processes: the tree of the processes, then a log for each program, summed up over its processes.\n",
         .options = {
             {"-c, --config FILE", "which tables and how; default: the configuration of the run", text(options.config)},
             {"-r, --rank N", "only rank N", number_from_0(options.rank, "needs a number from 0 on")},
             {"-o, --output=DIR",
              "write the log files into the folder DIR, which has to be there, instead of printing them",
              text(options.directory)},
             {"--format=json|csv",
              "instead of the log, for scripts, the same as vftr export -o - prints; also of a folder", take_format},
             {"--findings", "only what matters, with the wait states of timelines", flag(options.findings)},
             {"--histogram=REGEX", "only how long single calls of the functions that match take, by the timeline",
              take_histogram},
             {"--tree", "only the tree of processes", flag(options.only_tree)},
             {"--each", "a log for each process, not for each program", flag(options.each)},
             {"--program NAME", "only processes that ran this program (file name or path)", text(options.program)},
             {"--pid N", "only process N", number_from_0(options.pid, "needs the number of a process")},
             {"--all", "every process has a line, however many are alike", flag(options.all)},
             {"--wide", "command lines are not cut to the width of the terminal", flag(options.wide)}}});
    if (early)
        return *early;
    if (optind == argc)
        return usage_error(argv[0], "a FILE or DIR is missing");
    if (options.only_tree && options.each)
        return usage_error(argv[0], "--tree shows no profiles, so it does not go with --each");
    const std::vector<std::string> paths(argv + optind, argv + argc);
    take_name_options(options);
    if (format && (options.directory || has_tree_option(options)))
        return usage_error(argv[0], "--format prints the profile, without --output and the options of trees");
    if (histogram && (format || options.findings))
        return usage_error(argv[0],
                           "--histogram prints text of its own, so it goes with neither --format nor --findings");
    if (format && options.findings)
        return usage_error(argv[0], "--findings prints text; --format=json has them as well");
    if (format) {
        const RunInput input(paths);
        print_export(input, export_format(format), options.rank);
        return exit_code(input.all_readable());
    }
    const bool tree =
        has_tree_option(options) || std::any_of(paths.begin(), paths.end(), is_directory) || are_several(paths);
    if (options.findings && (options.directory || tree))
        return usage_error(argv[0],
                           "--findings prints what matters in one run, without --output, folders and options of trees");
    if (histogram && (options.directory || has_tree_option(options)))
        return usage_error(argv[0], "--histogram prints durations alone, without --output and the options of trees");
    if (histogram) {
        const RunInput input(paths);
        if (input.tree())
            throw std::runtime_error(
                "the files are of several runs, and --histogram is about one; give the files of one");
        print_histograms(input.files(), *histogram, options.rank);
        return exit_code(input.all_readable());
    }
    if (tree)
        return report_tree(options, paths);
    RunFiles files(paths);
    if (options.findings)
        print_findings(files, options.rank);
    else
        Writer(options, files).write();
    return 0;
}

} // namespace vftr::cli
