// SPDX-License-Identifier: BSD-3-Clause
//
// The records of a recording as they stand in its file, for users who want to know why a table says what it says.
// Costs, segments, threads, call paths, estimates and frames are shown field by field, as vfd(5) describes them. Times
// are ticks, as in the file; what the analyzer makes of them stands beside them where that is not obvious.
#pragma once

#include "analysis/timeline/timeline.hpp"
#include "vfd/image.hpp"

#include <cstdio>

namespace vftr::cli {

// The owner of `out` checks it for errors.
void print_records(const vfd::Image& image, const analysis::Timeline& timeline, std::FILE* out);

} // namespace vftr::cli
