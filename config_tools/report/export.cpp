// SPDX-License-Identifier: BSD-3-Clause
//
// vftr export: the profile or the timeline of a run in the formats of other tools.
#include "config_tools/report/export_options.hpp"
#include "config_tools/report/exported_run.hpp"
#include "config_tools/report/recordings_of.hpp"
#include "config_tools/report/run_files.hpp"
#include "config_tools/verb.hpp"

#include "analysis/processes/process_tree.hpp"
#include "base/foreign_text.hpp"
#include "report/report.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace vftr::cli {
namespace {

void refuse_input(const std::string& output, const std::vector<std::string>& inputs) {
    std::error_code error;
    for (const std::string& input : inputs)
        if (std::filesystem::equivalent(output, input, error))
            throw std::runtime_error(base::foreign_text(output) +
                                     ": this is a file to be exported; give another one to --output");
}

// Files, or all those of folders: what a folder has may be several runs.
class Input {
public:
    explicit Input(const std::vector<std::string>& paths) {
        const bool folders = std::ranges::any_of(paths, is_directory);
        RecordingsFound found;
        std::vector<std::string> all = paths;
        if (folders) {
            found = recordings_of(paths);
            all.clear();
            for (const analysis::Recording& recording : found.recordings)
                all.push_back(recording.file);
            if (all.empty())
                throw std::runtime_error(base::foreign_text(paths.front()) + ": has no recordings");
        }
        try {
            files_.emplace(all);
        } catch (const NotOneRun&) {
            if (!folders)
                throw;
            files_.emplace(all, RunFiles::Of::Several);
            tree_.emplace(std::move(found.recordings));
        }
    }

    const RunFiles& files() const { return *files_; }
    const analysis::ProcessTree* tree() const { return tree_ ? &*tree_ : nullptr; } // nullptr: it is one run

private:
    std::optional<RunFiles> files_;
    std::optional<analysis::ProcessTree> tree_;
};

} // namespace

void export_files(const ExportOptions& wanted, const std::vector<std::string>& inputs) {
    const Input input(inputs);
    const RunFiles& files = input.files();
    ExportedRun exported(files, wanted, input.tree());
    const std::string stem = report::log_stem(files.basename(), -1, files.size());
    if (!wanted.output.empty() && wanted.output != "-")
        refuse_input(wanted.output, inputs);
    for (const exports::Format* format : wanted.formats)
        exported.write(*format, wanted.output.empty()
                                    ? stem + '.' + std::string(format->suffix) + (wanted.format.split ? "s" : "")
                                    : wanted.output);
}

int verb_export(int argc, char** argv) {
    ExportOptions wanted;
    if (const auto early = read_export_options(argc, argv, wanted))
        return *early;
    export_files(wanted, {argv + optind, argv + argc});
    return 0;
}

} // namespace vftr::cli
