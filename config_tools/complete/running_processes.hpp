// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "config_tools/syntax/syntax.hpp"

#include <vector>

namespace vftr::cli {

// The processes that write recordings in the current folder: pid and program.
std::vector<Choice> running_processes();

} // namespace vftr::cli
