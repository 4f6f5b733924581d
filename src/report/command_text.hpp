// SPDX-License-Identifier: BSD-3-Clause
//
// What a process ran and how it ended, in a few words.
#pragma once

#include "analysis/recording.hpp"

#include <cstddef>
#include <string>

namespace vftr::report {

// "exit 1", "exec", "killed", "runs", … in a few letters.
std::string ending_text(const analysis::Recording& recording);
// Program and arguments as one would type them, at most `width` characters (0: all).
std::string command_text(const analysis::Recording& recording, std::size_t width);
// One argument as one would type it, in quotes where it needs them.
std::string command_word(const std::string& argument);

} // namespace vftr::report
