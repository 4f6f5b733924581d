// SPDX-License-Identifier: BSD-3-Clause
//
// Which processes are the ranks of one MPI job. No header names its job; what tells them apart is that all ranks of a
// job are in MPI_Init at the same time, agree on how many they are, descend from the same process and have different
// numbers. Of two jobs of one size that run side by side, the ranks with one parent process (mpirun, a daemon of the
// node) belong together.
#pragma once

#include "analysis/recording.hpp"

#include <cstdint>
#include <vector>

namespace vftr::analysis {

struct RankOfJob {
    const Recording* recording; // of_a_job()
    std::uint32_t node;         // the caller's
    std::uint32_t parent;       // what it descends from; the caller's
};
using JobGroup = std::vector<RankOfJob>; // by rank, each rank once; never empty

// Groups in the order of their first start.
std::vector<JobGroup> job_groups(std::vector<RankOfJob> ranks);

// Whether the recording of a whole job is that of these ranks.
bool is_of_group(const Recording& whole, const JobGroup& group);

} // namespace vftr::analysis
