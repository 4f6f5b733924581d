// SPDX-License-Identifier: BSD-3-Clause
//
// Modules and names: records of varying size, one behind the other in the segments of their kind.
#pragma once

#include "vfd/source.hpp"

#include <vector>

namespace vftr::vfd {

// Both append to `out` and throw Error where a record reaches beyond its segment. The views point
// into the segment.
void read_modules(const Segment& segment, const Source& source, std::vector<ModuleView>& out);
void read_names(const Segment& segment, const Source& source, std::vector<NameView>& out);

} // namespace vftr::vfd
