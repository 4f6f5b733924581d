// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "config/json_text.hpp"
#include "config/problems.hpp"

#include <map>

namespace vftr::config {

// The positions of the options and sections that the file gives.
using Given = std::map<std::string_view, Entry>;

// Checks how counters, observables and scenario fit together, which needs all of them to be read. Symbols must be
// unique names, formulas may use only these, and a scenario replaces both lists.
void check_counters(const Given& given, std::string_view text, Problems& problems, Config& config);

} // namespace vftr::config
