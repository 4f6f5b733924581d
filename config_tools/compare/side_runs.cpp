// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/compare/side_runs.hpp"

#include "config_tools/report/recordings_of.hpp"
#include "config_tools/report/run_files.hpp"
#include "config_tools/tell/progress_line.hpp"

#include "analysis/processes/process_tree.hpp"
#include "base/foreign_text.hpp"
#include "vfd/file_copy.hpp"

#include <cstdint>
#include <stdexcept>
#include <utility>

namespace vftr::cli {
namespace {

// The merged file of a job is left out where those of all ranks are there.
std::vector<std::string> files_below(const analysis::ProcessTree& tree, std::uint32_t root) {
    std::vector<std::string> files;
    tree.walk(root, [&](std::uint32_t node, std::uint32_t) {
        const analysis::Recording* recording = tree.recording(node);
        const analysis::ProcessNode& at = tree.nodes()[node];
        const bool ranks_are_there = at.kind == analysis::ProcessNode::Kind::Job && recording &&
                                     static_cast<std::int32_t>(at.ranks) >= recording->size;
        if (recording && !ranks_are_there)
            files.push_back(recording->file);
        return true;
    });
    return files;
}

analysis::Profile profile_of_run(const std::vector<std::string>& files) {
    try {
        return RunFiles(files).profile();
    } catch (const NotOneRun&) { // a tree of processes that run several programs
        return RunFiles(files, RunFiles::Of::Several).profile();
    }
}

} // namespace

SideRuns side_runs(const std::vector<std::string>& paths) {
    SideRuns side;
    for (const std::string& path : paths)
        if (!is_directory(path))
            vfd::read_header(path); // a file that the user names has to be a recording
    RecordingsFound found = recordings_of(paths);
    side.all_readable = found.unreadable == 0;
    const analysis::ProcessTree tree(std::move(found.recordings));
    ProgressLine progress("reading");
    for (std::size_t i = 0; i < tree.roots().size(); ++i) {
        progress.show(i, tree.roots().size());
        if (std::vector<std::string> files = files_below(tree, tree.roots()[i]); !files.empty()) {
            side.profiles.push_back(profile_of_run(files));
            side.files.push_back(std::move(files));
        }
    }
    if (side.profiles.empty())
        throw std::runtime_error(base::foreign_text(paths.front()) + ": has no recordings");
    return side;
}

} // namespace vftr::cli
