// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "config_tools/report/run_files.hpp"

#include <cstdint>
#include <optional>

namespace vftr::cli {

// Prints what matters in the run, or in one of its ranks (vftr report --findings). Where the files have the timelines
// of all ranks, wait states are among it. Throws std::runtime_error where there is no file of that rank.
void print_findings(const RunFiles& files, std::optional<std::int32_t> rank);

} // namespace vftr::cli
