// SPDX-License-Identifier: BSD-3-Clause
//
// What a reader must know of the data of a profile: what is missing, estimated or uncertain in it.
#pragma once

#include "analysis/profile/profile.hpp"
#include "config/config.hpp"

#include <string>
#include <vector>

namespace vftr::report {

// Each is a sentence without its full stop, as they stand behind "Note: " in the log.

// What is not in the profile because it was lost: the log says so before its tables.
std::vector<std::string> losses(const analysis::Profile& profile, const config::Config& config);

// What is estimated or uncertain, and how figures are to be read: below the tables. `hooks_told`: the reader has been
// told that hooks make the program another one, and needs not be told what else follows from their cost.
std::vector<std::string> doubts(const analysis::Profile& profile, bool hooks_told = false);

// ", as there were too few CPU samples to tell", to follow what is known of the cost of hooks; empty where that is not
// so.
std::string too_few_samples_text(const analysis::Summary& summary);

// All of them.
std::vector<std::string> notes(const analysis::Profile& profile, const config::Config& config);

} // namespace vftr::report
