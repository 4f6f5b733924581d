// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace vftr::cli {

// The functions of those words of a command line that are recordings or folders, or else of the newest recording in the
// current folder; by name. Empty where there is none, it cannot be read, or it is too large to be read between two
// keys.
std::vector<std::string> known_functions(const std::vector<std::string>& words);

} // namespace vftr::cli
