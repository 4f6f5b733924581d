// SPDX-License-Identifier: BSD-3-Clause
//
// The records of a recording as they stand in its file, for who wants to know why a table says what it says: vfd(5),
// field by field, of costs, segments, threads, call paths, estimates and frames. Times are ticks, as in the file; what
// a reader makes of them is beside them where it is not plain.
#pragma once

#include "analysis/timeline.hpp"
#include "vfd/image.hpp"

#include <cstdio>

namespace vftr::cli {

// Errors of `out` are left to its owner.
void print_records(const vfd::Image& image, const analysis::Timeline& timeline, std::FILE* out);

} // namespace vftr::cli
