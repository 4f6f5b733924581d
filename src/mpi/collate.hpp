// SPDX-License-Identifier: BSD-3-Clause
//
// Collation of the ranks' profiles at MPI_Finalize. In a job of few ranks all send to rank 0 at once (star.hpp).
// Otherwise the profiles go over the tree of reduction_tree.hpp, which has log2(P) steps; each rank holds at most its
// own profile and one partner's.
//
// Why the private communicator is made here and not in MPI_Init: making one is collective over MPI_COMM_WORLD. In a job
// of which only some ranks are recorded (`vftr run` on one of them, two programs of which one is linked with vftrace,
// VFTR_OFF on some), a collective call in MPI_Init would wait for the others for ever, and what the program itself
// creates later can hang with it. In MPI_Finalize the program's own collective calls are over, so a non-blocking
// barrier that never completes does no harm: it only shows that some rank does not take part, and after the timeout
// this rank goes on alone. If the barrier completes, all ranks have arrived; when they have agreed on how to go on, the
// communicator is made.
//
// How the time is shared: a rank waits for the others until mpi.collate_timeout after its own arrival. Then all ranks
// agree on the time that is left to the rank that has waited longest, and the steps of the tree share that time, so no
// rank waits longer than the timeout in all. If little time is left, the tree still gets least_for_the_tree(), because
// ranks that have arrived do answer.
//
// A rank that gives up makes that known: its contribution to the agreement says so and is available at once to a rank
// that arrives later, which then does not wait either.
#pragma once

#include "analysis/merge/numbering.hpp"
#include "analysis/profile/profile.hpp"
#include "mpi/deadline.hpp"
#include "mpi/pmpi.hpp"

#include <algorithm>

namespace vftr::mpi {

struct Collated {
    // On rank 0: the merged profile of all other ranks; its rank_count is 0 if there is none. Ranks that did not come
    // are in missing_ranks. On other ranks the profile is empty.
    analysis::Profile others;
    // On rank 0: no rank is missing. On other ranks: the profile has gone to the next rank of the tree.
    bool complete;
    vfd::ClockOffset clock{}; // of this rank; error_ns 0: not measured
    // The STIDs that this rank's paths have in the whole job. On rank 0, if other ranks want STIDs, those of all paths.
    // Empty if they are not known.
    analysis::Numbering numbering{};
};

struct Wishes {
    double timeout_s;
    bool clocks; // compare the clocks, if all ranks ask for it
    bool stids;  // this rank writes a log and needs its STIDs
};

// The least time for the tree, in seconds.
inline double least_for_the_tree(double timeout_s) { return std::min(timeout_s, 5.0); }

// Collates over `comm`, whose ranks are those of MPI_COMM_WORLD, which returns its errors and on which nothing else
// communicates. Only non-blocking calls and tests are used; the pauses between tests grow. If ranks are dead, it takes
// at most `seconds` from `begin` on, and a quarter of that longer if a rank wants STIDs. `free_it` says that no message
// is under way on `comm` afterwards.
Collated collate(MPI_Comm comm, analysis::Profile mine, double seconds, bool& free_it,
                 Clock::time_point begin = Clock::now(), bool stids = false);

// Collates over MPI_COMM_WORLD: in a job of few ranks and small profiles by star.hpp, otherwise on a communicator that
// is made here. If every rank asks for clocks, these are compared first. It takes at most timeout_s, or, if the last
// rank comes late, twice least_for_the_tree() longer.
Collated collate_world(analysis::Profile mine, const Wishes& wishes);

// Compares only the clocks, after MPI_Init. It waits for all ranks, without end if one of them does not call it.
vfd::ClockOffset compare_clocks(double timeout_s);

} // namespace vftr::mpi
