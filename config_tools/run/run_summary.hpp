// SPDX-License-Identifier: BSD-3-Clause
//
// What `vftr run` prints when its command has ended: the tree of the recorded processes, and where each program spent
// its time.
#pragma once

#include "vfd/format.hpp"

#include <cstddef>
#include <cstdio>
#include <string>

namespace vftr::cli {

// Prints those recordings in the folder `directory` that descend from `root`: the process that VFTR_PARENT named to the
// command (by its pid and start) and all its descendants. Other runs in the folder are left out. Returns the number of
// processes shown; 0 means that nothing was recorded, and nothing is printed. Each file that cannot be read is one line
// on stderr. Throws std::runtime_error if there is no such folder, or if the log cannot be written. `log`: the same
// text goes, with the whole log of each program summed up over its processes, to <log>.log in that folder, or to
// <log>_<own pid>.log if another `vftr run` has written the former since the start; "" means nowhere. For a single
// process that wrote a log itself there is none.
std::size_t print_summary(std::FILE* out, const std::string& directory, const vfd::RecordingId& root,
                          const std::string& log);

// To be called when a run begins that may write such a log: moves the log of the previous run aside, as it is none of
// this run (output/previous_log.hpp), which began at `start` (ns of real time). print_summary removes it.
void set_previous_run_log_aside(const std::string& directory, const std::string& log, std::uint64_t start);

} // namespace vftr::cli
