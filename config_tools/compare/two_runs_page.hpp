// SPDX-License-Identifier: BSD-3-Clause
//
// The page of two runs, before and after a change (vftr html BASE… --versus NEW…): each run as it has a page alone, and
// the difference between them, which is that of vftr diff. Where a side has several runs, all of them are compared, and
// the first one is shown.
#pragma once

#include "config_tools/report/export_options.hpp"

#include <string>
#include <vector>

namespace vftr::cli {

// Writes the page, and returns the exit code; 1 where a file of a folder could not be read, which it has told. Throws
// std::runtime_error.
int write_two_runs_page(const ExportOptions& wanted, const std::vector<std::string>& base,
                        const std::vector<std::string>& next);

} // namespace vftr::cli
