// SPDX-License-Identifier: BSD-3-Clause
//
// Short texts for the command of a process and for its ending.
#pragma once

#include "analysis/processes/recording.hpp"

#include <cstddef>
#include <string>

namespace vftr::report {

// How the process ended: "exit 1", "exec", "killed", "runs", …
std::string ending_text(const analysis::Recording& recording);
// Program and arguments as a user would type them, cut to `width` characters (0: not cut).
std::string command_text(const analysis::Recording& recording, std::size_t width);
// One argument as a user would type it, quoted where necessary.
std::string command_word(const std::string& argument);

} // namespace vftr::report
