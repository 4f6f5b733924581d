// SPDX-License-Identifier: BSD-3-Clause
//
// What a recording says of its process as a whole: in the header, and in metadata notes that stand as names of the
// root.
#pragma once

#include "analysis/profile.hpp"
#include "vfd/image.hpp"

namespace vftr::analysis {

void fill_summary(Profile& profile, const vfd::Image& image);
// To the whole profile of a process: what came after the clock was stopped, up to its results.
void add_ending(Profile& profile, const vfd::FileHeader& header);

} // namespace vftr::analysis
