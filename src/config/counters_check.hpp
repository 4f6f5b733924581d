// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "config/json_text.hpp"
#include "config/problems.hpp"

#include <map>

namespace vftr::config {

// Where the options and sections stand that the file gives.
using Given = std::map<std::string_view, Entry>;

// What counters, observables and scenario must be to each other: it can be told only when all are
// read. Symbols are unique names, formulas are over them, and a scenario stands instead of both.
void check_counters(const Given& given, std::string_view text, Problems& problems, Config& config);

} // namespace vftr::config
