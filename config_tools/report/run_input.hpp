// SPDX-License-Identifier: BSD-3-Clause
//
// What verbs that write the profile of a run are given: its files, or folders, all files of which are taken. These may
// be of several runs, as in the folder of vftr run: then there is a tree of processes, by which profiles are told
// apart. Files that are named one by one have to be of one run.
#pragma once

#include "config_tools/report/recordings_of.hpp"
#include "config_tools/report/run_files.hpp"

#include "analysis/processes/process_tree.hpp"

#include <optional>
#include <string>
#include <vector>

namespace vftr::cli {

class RunInput {
public:
    // Throws vfd::Error for a file that is no recording, NotOneRun, and std::runtime_error for a folder without any.
    explicit RunInput(const std::vector<std::string>& paths, Complaints complaints = Complaints::OneLineEach);

    const RunFiles& files() const { return *files_; }
    // nullptr: it is one run.
    const analysis::ProcessTree* tree() const { return several_ ? processes() : nullptr; }
    // Those of the folders, whether or not they are of one run; nullptr: there are no folders.
    const analysis::ProcessTree* processes() const { return tree_ ? &*tree_ : nullptr; }
    // Whether each file of the folders is a recording; the others are one line each on stderr, unless
    // these were told before.
    bool all_readable() const { return all_readable_; }

private:
    std::optional<RunFiles> files_;
    std::optional<analysis::ProcessTree> tree_;
    bool all_readable_ = true, several_ = false;
};

} // namespace vftr::cli
