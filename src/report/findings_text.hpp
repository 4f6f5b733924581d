// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "report/findings/finding.hpp"

#include <span>
#include <string>

namespace vftr::report {

// The section of the log, whose first line is its title; empty where there are no findings.
std::string findings_text(std::span<const Finding> all);

} // namespace vftr::report
