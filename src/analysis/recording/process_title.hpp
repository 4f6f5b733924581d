// SPDX-License-Identifier: BSD-3-Clause
//
// What a process of a run is called where its processes stand side by side.
#pragma once

#include "vfd/image.hpp"

#include <string>

namespace vftr::analysis {

// "rank 3"; of a rank's children and of what it became by exec "rank 3: cc1 (4711)"; without MPI "solver (4711)".
std::string process_title(const vfd::Image& image);

} // namespace vftr::analysis
