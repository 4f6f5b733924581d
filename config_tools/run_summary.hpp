// SPDX-License-Identifier: BSD-3-Clause
//
// What `vftr run` prints when its command has ended: the tree of processes that were recorded, and where each program
// spent its time.
#pragma once

#include "vfd/format.hpp"

#include <cstddef>
#include <cstdio>
#include <string>

namespace vftr::cli {

// Prints, of all recordings in the folder `directory`, those that descend from `root`: the process that VFTR_PARENT
// named to the command (its pid, and the start that it was told) and all that came after it. Other runs in the folder
// are left out. Returns the number of processes shown; 0: nothing was recorded, and nothing is printed. What cannot be
// read is one line each on stderr. Throws std::runtime_error where there is no such folder, or the log cannot be
// written. log: the same goes with the whole log of each program, summed up over its processes, to <log>.log in that
// folder, or <log>_<own pid>.log where another `vftr run` has written that since the start; "": nowhere. Of a single
// process that wrote a log itself there is none.
std::size_t print_summary(std::FILE* out, const std::string& directory, const vfd::RecordingId& root,
                          const std::string& log);

// When a run begins that may write such a log: that of the run before is none of it (session/previous_log.hpp).
// print_summary removes it.
void set_previous_run_log_aside(const std::string& directory, const std::string& log);

} // namespace vftr::cli
