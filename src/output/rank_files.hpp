// SPDX-License-Identifier: BSD-3-Clause
//
// What rank 0 can still learn of ranks that did not come to the collation: their recordings are files that can be read
// at any time. Those that had come to MPI_Finalize (FlagInFinalize) are complete there; the others are late, and their
// profile is that up to now.
//
// A file of that name may be left from an earlier run. It counts only if it is of the same rank in a job of the same
// size and was written to after this process began.
#pragma once

#include "analysis/profile/profile.hpp"
#include "output/output.hpp"

#include <chrono>
#include <cstdint>

namespace vftr::output {

// Whether `file` is the header of a recording of that rank in the same job as `own`.
bool of_this_job(const vfd::FileHeader& file, const vfd::FileHeader& own, std::int32_t rank);

// Moves ranks from profile.missing_ranks into the profile, and into late_ranks where they are, as long as there is
// time. `own` is the header of the calling rank's recording. Ranks whose file is elsewhere or unreadable stay missing.
void add_rank_files(analysis::Profile& profile, const Destination& output, const vfd::FileHeader& own,
                    std::chrono::steady_clock::time_point deadline);

} // namespace vftr::output
