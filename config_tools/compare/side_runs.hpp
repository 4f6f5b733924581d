// SPDX-License-Identifier: BSD-3-Clause
//
// The runs that the files and folders of one side of a comparison are of. A run is what was started by nothing that was
// recorded: a process with all processes that it started, or an MPI job. What vftr run has recorded is one run. So ten
// merged files are ten runs, whether they are named one by one or stand in a folder.
#pragma once

#include "analysis/profile/profile.hpp"

#include <string>
#include <vector>

namespace vftr::cli {

struct SideRuns {
    std::vector<analysis::Profile> profiles;     // by start
    std::vector<std::vector<std::string>> files; // by run
    bool all_readable = true;                    // each file of a folder is a recording; the others are told on stderr
};

// Throws vfd::Error for a file that is no recording, and std::runtime_error where there is no run.
SideRuns side_runs(const std::vector<std::string>& paths);

} // namespace vftr::cli
