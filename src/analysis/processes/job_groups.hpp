// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the processes that are the ranks of one MPI job. No header names its job. Ranks of one job are recognised by
// this: they are in MPI_Init at the same time, agree on the number of ranks, descend from the same process and have
// different rank numbers. If two jobs of one size run side by side, the ranks with the same parent process (mpirun, a
// daemon of the node) belong together.
#pragma once

#include "analysis/processes/recording.hpp"

#include <cstdint>
#include <vector>

namespace vftr::analysis {

struct RankOfJob {
    const Recording* recording; // one for which of_a_job() is true
    std::uint32_t node;         // any number of the caller of job_groups()
    std::uint32_t parent;       // number of the process that it descends from, chosen by the caller of job_groups()
};
using JobGroup = std::vector<RankOfJob>; // by rank, each rank once; never empty

// Returns the groups in the order in which their first ranks started.
std::vector<JobGroup> job_groups(std::vector<RankOfJob> ranks);

// Whether `whole`, the recording of a whole job, is that of the job of these ranks.
bool is_of_group(const Recording& whole, const JobGroup& group);

} // namespace vftr::analysis
