// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/run/run_summary.hpp"

#include "config_tools/own_name.hpp"
#include "config_tools/report/program_profiles.hpp"
#include "config_tools/report/recordings_of.hpp"
#include "config_tools/report/report_options.hpp"
#include "config_tools/watch/terminal.hpp"

#include "base/foreign_text.hpp"
#include "base/replaced_file.hpp"
#include "output/output.hpp"
#include "output/previous_log.hpp"
#include "report/command_text.hpp"
#include "report/number_text.hpp"
#include "report/process_tree_text.hpp"
#include "report/report.hpp"
#include "report/shown_names.hpp"
#include "report/text_table.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>
#include <vector>

namespace vftr::cli {
namespace {

constexpr std::size_t MostPrograms = 5, MostFunctions = 5; // of each program

struct FunctionTime {
    std::string name;
    std::uint64_t exclusive = 0, calls = 0; // ns
};

std::vector<FunctionTime> functions_by_time(const analysis::Profile& profile) {
    std::map<std::uint32_t, FunctionTime> sums;
    for (const analysis::PathNode& path : profile.nodes) {
        FunctionTime& sum = sums[path.name];
        sum.exclusive += path.exclusive;
        sum.calls += path.calls;
    }
    std::vector<FunctionTime> functions;
    const report::ShownNames shown(profile);
    for (auto& [name, sum] : sums) {
        sum.name = shown.fitted(shown.of_name(name), report::NameWidth);
        functions.push_back(std::move(sum));
    }
    std::stable_sort(functions.begin(), functions.end(),
                     [](const auto& a, const auto& b) { return a.exclusive > b.exclusive; });
    return functions;
}

void add_rows(report::TextTable& table, const ProgramParts& parts, const analysis::Profile& profile) {
    const double whole = static_cast<double>(std::max<std::uint64_t>(profile.summary.runtime_sum, 1));
    std::size_t rows = 0;
    for (const FunctionTime& function : functions_by_time(profile)) {
        if (++rows > MostFunctions)
            break;
        const double time = static_cast<double>(function.exclusive);
        table.add_row({std::to_string(function.calls), report::seconds(time, 3), report::fixed(100 * time / whole, 1),
                       function.name, report::fit(parts.program, 32)});
    }
}

// What the programs did: a table of the first ones, and the log of all where it is wanted.
struct Programs {
    std::string table, logs;
};

void add_log(std::string& logs, const ProgramParts& parts, const ProgramProfile& result) {
    ReportOptions options;
    config::Loaded config = report_config(options, result.config_text, result.config_label, result.config_file);
    config.config.print_config = false; // once per program would bury the tables
    logs += "\n=== " + base::foreign_text(parts.program) + ": " + std::to_string(parts.processes) +
            (parts.processes == 1 ? " process" : " processes") + "\n\n";
    for (const report::LogFile& file : report::make_log(result.profile, config.config, config.source))
        logs += file.text;
}

Programs look_at_programs(const analysis::ProcessTree& tree, const std::vector<bool>& shown, bool with_logs) {
    const std::vector<ProgramParts> programs = program_parts(tree, shown, false);
    report::TextTable table({"Calls", "t_excl[s]", "t_excl[%]", "Function", "Program"});
    Programs found;
    for (std::size_t i = 0; i < programs.size() && (with_logs || i < MostPrograms); ++i) {
        const ProgramProfile result = profile_of_parts(tree, programs[i]);
        if (result.profile.nodes.empty())
            continue;
        if (i < MostPrograms)
            add_rows(table, programs[i], result.profile);
        if (with_logs)
            add_log(found.logs, programs[i], result);
    }
    found.table = table.to_text();
    if (programs.size() > MostPrograms)
        found.table += "(" + std::to_string(programs.size() - MostPrograms) + " more programs)\n";
    return found;
}

// Its path.
std::string write_log(const output::Destination& output, std::uint64_t start, const std::string& text) {
    output::NameClaim claim;
    const std::string path = output.path(output::claim_log_basename(output, start, claim) + ".log");
    if (int error = base::replace_file(path, text.data(), text.size()))
        throw std::runtime_error(path + ": " + std::strerror(error));
    return path;
}

std::string run_log_path(const output::Destination& output) { return output.path(output.basename + ".log"); }

// A process that no recorded one started writes a log itself, as without vftr run.
bool wrote_its_log(const analysis::ProcessTree& tree, const vfd::RecordingId& root) {
    return std::ranges::any_of(tree.recordings(),
                               [&](const analysis::Recording& r) { return r.merged && r.pid == root.pid; });
}

} // namespace

void set_previous_run_log_aside(const std::string& directory, const std::string& log, std::uint64_t start) {
    if (!log.empty())
        output::set_previous_file_aside(run_log_path({directory, log}), start, report::begins_as_process_tree);
}

std::size_t print_summary(std::FILE* out, const std::string& directory, const vfd::RecordingId& root,
                          const std::string& log) {
    const analysis::ProcessTree tree(recordings_of({directory}).recordings);
    report::TreeStyle style;
    style.width = output_size(out).columns;
    style.shown = tree.descendants_of(root);
    const std::string text = base::foreign_text(report::process_tree_text(tree, style), "\n");
    if (text.empty())
        return 0;
    std::size_t processes = 0;
    for (std::uint32_t node : tree.roots())
        if (style.shown[node])
            processes += tree.processes_under(node);
    const bool with_log = !log.empty() && (processes > 1 || !wrote_its_log(tree, root));
    const Programs programs = look_at_programs(tree, style.shown, with_log);
    std::fprintf(out, "%s\n%s\n", text.c_str(), programs.table.c_str());
    const std::string report = base::foreign_text(own_command("report") + ' ' + report::command_word(directory));
    std::string path;
    if (with_log)
        path = write_log({directory, log}, root.start_realtime_ns, text + "\n" + programs.table + programs.logs);
    if (const std::string usual = run_log_path({directory, log});
        !log.empty() && (path.empty() || path == usual)) // else that run will do so
        output::remove_previous_file(usual, report::begins_as_process_tree);
    if (with_log) {
        std::fprintf(out, "%s has the profiles, %s shows them.\n", base::foreign_text(path).c_str(), report.c_str());
    } else {
        std::fprintf(out, "%s shows the profiles.\n", report.c_str());
    }
    return processes;
}

} // namespace vftr::cli
