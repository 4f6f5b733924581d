// SPDX-License-Identifier: BSD-3-Clause
//
// One basename for all ranks of an MPI job.
//
// Several jobs of one program may begin in one folder at the same moment, and a job may spawn another one. If each rank
// looked by itself which names are free, the ranks of one job would get names of several kinds, and files of two jobs
// would stand under one name. So one rank decides for all, rank 0 or the first that has waited for it for some
// milliseconds: the basename, or where another job or a run has that, the basename with a number that only this job
// has. It writes its decision to a file <name>.job (job_decision.hpp), which the other ranks find there. It is decided
// under a lock (claimed_file.hpp), which ranks that come meanwhile wait for; as a rule a rank opens one file and reads
// it.
//
// Ranks know each other by what their launcher gives all of them (job_key()). They do not ask each other by MPI, as a
// rank may be without vftrace.
//
// The rank that decided removes the file at its end. One that is left of a killed job does not count.
#pragma once

#include "output/output.hpp"
#include "vfd/format.hpp"

#include <string>

namespace vftr::output {

// The basename for recordings and results of a rank, and whether all ranks of its job have it.
struct JobName {
    std::string name;
    bool of_all_ranks;
};

// `own` is the header of the calling rank's recording, with its rank and size. Where nothing can be decided (no key, a
// folder without locks), the name is that of rank_basename. Waits up to seconds, and much less as a rule.
JobName job_wide_basename(const Destination& output, const vfd::FileHeader& own);

} // namespace vftr::output
