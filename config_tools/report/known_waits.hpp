// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "config_tools/report/run_files.hpp"

#include "analysis/timeline/waits_of.hpp"

#include <optional>

namespace vftr::cli {

// The wait states of a run, whose profile is completed by the paths of calls that waited. Nothing where some rank has
// no timeline: then nobody knows for whom ranks waited.
std::optional<analysis::Waits> known_waits(const RunFiles& files, analysis::Profile& profile);

} // namespace vftr::cli
