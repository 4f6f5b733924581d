// SPDX-License-Identifier: BSD-3-Clause
//
// The file <basename>.job, by which a job has a basename (job_claim.hpp): the header of the recording of the rank that
// decided, and the key of its job. The header tells whether that rank still runs, so that a file which a killed job has
// left does not count. On other machines that cannot be seen; there it counts as long as the recording of that rank, or
// of rank 0, is being written.
//
// Source of the keys: the PMIx standard (PMIX_NAMESPACE), PMI of MPICH (PMI_FD and PMI_PORT), srun(1).
#pragma once

#include "output/output.hpp"
#include "vfd/format.hpp"

#include <optional>
#include <string>

namespace vftr::output {

constexpr auto JobSuffix = ".job"; // behind the basename

struct JobDecision {
    vfd::FileHeader header;
    std::string key;
};
// Nullopt: there is none.
std::optional<JobDecision> job_decision(const Destination& output, const std::string& basename);

// What all ranks of this job have in common and no other job has; "" in a process that no launcher started as a rank.
// The key of MPICH's launcher differs between machines, so that each machine's ranks find a name of their own there.
std::string job_key();

// Whether a job other than this process's has this basename now.
bool held_by_another_job(const Destination& output, const std::string& basename);

// Removes what the calling process decided, of which `own` is the recording's header.
void release_job(const Destination& output, const std::string& basename, const vfd::FileHeader& own);

} // namespace vftr::output
