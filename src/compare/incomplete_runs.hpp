// SPDX-License-Identifier: BSD-3-Clause
//
// What the recordings of some runs lack, as a log tells it of one (report/notes.hpp): ranks that are not there, a
// process that was killed. Such a run is compared as far as it came, so that its reader must know.
#pragma once

#include "analysis/profile/profile.hpp"

#include <string>
#include <vector>

namespace vftr::compare {

// A sentence without a full stop for each kind of loss: "New, 2 of 10 runs: …". `whose` is what the runs are called.
std::vector<std::string> incomplete_runs(const std::vector<analysis::Profile>& runs, const std::string& whose);

} // namespace vftr::compare
