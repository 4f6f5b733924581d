// SPDX-License-Identifier: BSD-3-Clause
//
// What the other ranks of a job call after MPI_Finalize, for rank 0, which writes the job's results at its end.
//
// There are no messages between ranks any more, but their recordings are files. A rank that ends without a call since
// the collation removes its file; one with calls closes it and leaves it where it is. So rank 0 sees by the files of
// the ranks how far they are: it waits for a moment for those of its own machine that still run, as all of them end at
// about the same time, and takes the remainder (analysis/merge/remainder.hpp) of each file that stays. Ranks that run
// on keep their files, from which `vftr report` adds what the log does not have yet.
//
// That rank 0 does not wait for as long as they run: a program may do anything after MPI_Finalize. That the last rank
// to end does not write the results: which one it is could only be agreed on by locks in the output directory, which
// some file systems of clusters do not have.
#pragma once

#include "analysis/profile/profile.hpp"
#include "output/output.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace vftr::output {

struct LaterCalls {
    analysis::Profile remainders;     // merged; its rank_count is 0 if there are none
    analysis::RankList running_ranks; // ranks that still ran at the deadline, or whose file could not be read by then
    std::vector<std::string> files;   // of which all is in the job's profile now and which nobody needs any more
};

// `own` is the header of rank 0's recording.
LaterCalls later_calls(const Destination& output, const vfd::FileHeader& own,
                       std::chrono::steady_clock::time_point deadline);

// Removes the files of LaterCalls::files.
void remove_taken(const std::vector<std::string>& files);

} // namespace vftr::output
