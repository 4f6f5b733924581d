// SPDX-License-Identifier: BSD-3-Clause
//
// Which recordings in a folder are those of one command and of all processes that descend from it. Whether they do, they say themselves
// (FileHeader::parent, parent_pid of forked children); older files that lie there belong to other runs.
#pragma once

#include "vfd/format.hpp"

#include <string>
#include <vector>

namespace vftr::cli {

// Paths, sorted. `command` is what the command's recordings name as their parent: its pid and when the run began. Files that are no recordings
// or cannot be read are left out. Throws std::runtime_error where the folder cannot be read.
std::vector<std::string> recordings_of_run(const std::string& folder, const vfd::RecordingId& command);

// The header of a recording, read without the rest. False where the file is none of this version.
bool read_header(const std::string& path, vfd::FileHeader& header);
// Paths of all files in a folder that may be recordings by their names, sorted.
std::vector<std::string> recordings_in(const std::string& folder);

} // namespace vftr::cli
