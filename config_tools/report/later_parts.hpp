// SPDX-License-Identifier: BSD-3-Clause
//
// What ranks did after MPI_Finalize and the job's merged profile lacks, as they ran on when it was written.
#pragma once

#include "analysis/profile/profile.hpp"
#include "vfd/image.hpp"

#include <vector>

namespace vftr::cli {

// Adds it from the recordings of ranks. A line on stderr tells of a recording from which that cannot be told. Throws
// vfd::Error.
void add_later_parts(analysis::Profile& job, const std::vector<vfd::Image>& recordings);

} // namespace vftr::cli
