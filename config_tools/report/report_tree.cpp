// SPDX-License-Identifier: BSD-3-Clause
//
// vftr report of a folder, or of files of several processes: the tree, then the profiles.
#include "config_tools/exit_code.hpp"
#include "config_tools/report/program_profiles.hpp"
#include "config_tools/report/recordings_of.hpp"
#include "config_tools/report/report_options.hpp"
#include "config_tools/report/run_files.hpp"
#include "config_tools/report/single_call_durations.hpp"
#include "config_tools/tell/message.hpp"
#include "config_tools/tell/painted_text.hpp"
#include "config_tools/watch/terminal.hpp"

#include "analysis/processes/process_tree.hpp"
#include "base/foreign_text.hpp"
#include "report/command_text.hpp"
#include "report/process_tree_text.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace vftr::cli {
namespace {

using analysis::ProcessTree;
using analysis::Recording;

class TreeReport {
public:
    TreeReport(const ReportOptions& options, ProcessTree tree) : options_(options), tree_(std::move(tree)) {}

    // Returns how many recordings of the profiles could not be read.
    std::size_t write() {
        choose();
        print_tree();
        std::size_t unreadable = 0;
        if (!options_.only_tree)
            for (const ProgramParts& parts : program_parts(tree_, chosen_, options_.each))
                unreadable += write_profile(parts);
        return unreadable;
    }

private:
    bool chooses() const { return options_.rank || options_.pid || options_.program; }

    bool is_chosen(const Recording& r) const {
        const bool whole = r.merged && r.of_a_job();
        if (options_.rank && (whole || std::max(r.rank, 0) != *options_.rank))
            return false;
        if (options_.pid && (whole || r.pid != static_cast<std::uint32_t>(*options_.pid)))
            return false;
        return !options_.program || r.executable == options_.program || r.program() == options_.program;
    }

    void choose() {
        if (!chooses())
            return;
        const auto count = static_cast<std::uint32_t>(tree_.nodes().size());
        chosen_.resize(count);
        bool any = false;
        for (std::uint32_t node = 0; node < count; ++node) {
            const Recording* r = tree_.recording(node);
            chosen_[node] = r && is_chosen(*r);
            any |= chosen_[node];
        }
        if (!any)
            throw std::runtime_error("no recording is of the process that is asked for");
    }

    // The chosen ones with the processes that they descend from.
    std::vector<bool> visible() const {
        std::vector<bool> shown = chosen_;
        const auto& nodes = tree_.nodes();
        // From the leaves up: what is above a node comes before it on the walk.
        std::vector<std::pair<std::uint32_t, std::uint32_t>> above; // node, what leads to it
        for (std::uint32_t root : tree_.roots())
            tree_.walk(root, [&](std::uint32_t node, std::uint32_t) {
                for (std::uint32_t child : nodes[node].children)
                    above.emplace_back(child, node);
                if (nodes[node].next != analysis::NoNodeIndex)
                    above.emplace_back(nodes[node].next, node);
                return true;
            });
        for (std::size_t i = above.size(); i-- > 0;)
            if (shown[above[i].first])
                shown[above[i].second] = true;
        return shown;
    }

    void print_tree() const {
        report::TreeStyle style;
        style.width = options_.wide ? 0 : output_size().columns;
        if (options_.all)
            style.most_alike = 0;
        if (chooses())
            style.shown = visible();
        const std::string text = report::process_tree_text(tree_, style);
        print_text(base::foreign_text(text, "\n"));
    }

    std::size_t write_profile(const ProgramParts& parts) {
        const ProgramProfile result = profile_of_parts(tree_, parts);
        if (result.profile.nodes.empty())
            return result.unreadable;
        if (!options_.directory)
            std::printf("\n=== %s\n\n", base::foreign_text(title_of(parts)).c_str());
        config::Loaded config = report_config(options_, result.config_text, result.config_label, result.config_file);
        if (!options_.directory && !options_.config)
            config.config.print_config = false; // once per program would bury the tables
        const auto durations = config.config.profile_table_show_distribution && result.profile.durations.empty()
                                   ? durations_of(parts, result.profile)
                                   : std::nullopt;
        write_logs(options_, result.profile, config, stem_of(parts), durations ? &*durations : nullptr);
        return result.unreadable;
    }

    // Nothing where a recording is missing in the profile.
    std::optional<std::vector<analysis::PathDurations>> durations_of(const ProgramParts& parts,
                                                                     const analysis::Profile& profile) const {
        std::vector<std::string> files;
        for (const ProgramParts::Part& part : parts.parts)
            files.push_back(tree_.recordings()[part.recording].file);
        try {
            return durations_of_profile(RunFiles(files, RunFiles::Of::Several), profile, std::nullopt);
        } catch (const vfd::Error&) {
            return std::nullopt;
        }
    }

    std::string title_of(const ProgramParts& parts) const {
        if (options_.each && !parts.job)
            return "process " + std::to_string(parts.pid) + ": " +
                   report::command_text(tree_.recordings()[parts.parts.front().recording],
                                        options_.wide ? 0 : output_size().columns);
        const std::string count = std::to_string(parts.processes);
        if (parts.job)
            return parts.program + ": " + count + (parts.processes == 1 ? " process" : " processes") + " of an MPI job";
        return parts.program + ": " +
               (parts.processes == 1 ? "process " + std::to_string(parts.pid) : count + " processes");
    }

    // Of the log files.
    std::string stem_of(const ProgramParts& parts) {
        std::string stem = parts.program + (options_.each ? "_" + std::to_string(parts.pid) : "_processes");
        for (int i = 1; !stems_.insert(stem).second; ++i)
            stem = parts.program + "_" + std::to_string(parts.pid) + "." + std::to_string(i);
        return stem;
    }

    const ReportOptions& options_;
    const ProcessTree tree_;
    std::vector<bool> chosen_; // by node; empty: all
    std::set<std::string> stems_;
};

} // namespace

int report_tree(const ReportOptions& options, const std::vector<std::string>& paths) {
    RecordingsFound found = recordings_of(paths);
    if (found.recordings.empty()) {
        if (found.unreadable == 0)
            tell_error(paths.front() + ": no recordings (files *.vfd, *.tmpvfd)");
        return ExitFailed;
    }
    const std::size_t unreadable = TreeReport(options, ProcessTree(std::move(found.recordings))).write();
    return exit_code(found.unreadable + unreadable == 0);
}

} // namespace vftr::cli
