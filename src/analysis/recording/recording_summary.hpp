// SPDX-License-Identifier: BSD-3-Clause
//
// Reads what a recording says about its process as a whole, in its header and in the metadata notes, which are stored
// as names of the root.
#pragma once

#include "analysis/profile/lost_time.hpp"
#include "analysis/profile/profile.hpp"
#include "vfd/image.hpp"

namespace vftr::analysis {

void fill_summary(Profile& profile, const vfd::Image& image, const LostTime& lost);
// Adds to the complete profile of a process the time after its clock was stopped, up to the writing of its results.
void add_ending(Profile& profile, const vfd::FileHeader& header);

} // namespace vftr::analysis
