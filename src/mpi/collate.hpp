// SPDX-License-Identifier: BSD-3-Clause
//
// Collation of the ranks' profiles at MPI_Finalize: in a job of few ranks all send to rank 0 at once (star.hpp), else
// over the tree of reduction_tree.hpp: log2(P) steps, each rank holds at most its own profile and one partner's.
//
// Why the private communicator is made here and not in MPI_Init. Making one is collective over
// MPI_COMM_WORLD. In a job of which only some ranks are recorded (`vftr run` on one of them, two
// programs of which one is linked with us, VFTR_OFF on some) a collective call in MPI_Init waits
// for ever for the others, and what the program then creates itself can hang with it. In MPI_Finalize the
// program's own collectives are over, so a non-blocking barrier that never ends does no harm: it only
// shows that somebody is not with us, and after the timeout the rank goes on alone. Where it ends, all are here; when
// they have agreed on how to go on, the communicator is made.
//
// Why time is shared so. A rank waits until mpi.collate_timeout after its own arrival for the others to come. Then all
// agree on what the one who waited longest has left, and the steps of the tree share that: nobody waits longer than the
// timeout in all. Where little is left there is still least_for_the_tree(), for ranks that have come do answer.
//
// Who gives up leaves word of it: its part in the agreement says so and is there at once for a rank that comes later,
// which then does not wait either.
#pragma once

#include "analysis/merge/numbering.hpp"
#include "analysis/profile/profile.hpp"
#include "mpi/deadline.hpp"
#include "mpi/pmpi.hpp"

#include <algorithm>

namespace vftr::mpi {

struct Collated {
    // On rank 0 the merged profile of all other ranks, with rank_count 0 if there is none; those
    // that did not come are in missing_ranks. On other ranks empty.
    analysis::Profile others;
    // On rank 0: no rank is missing. On others: the profile has gone to the next rank of the tree.
    bool complete;
    vfd::ClockOffset clock{}; // of this rank; error_ns 0: not measured
    // The STIDs that this rank's paths have in the whole job. On rank 0, where others are told them, those of all
    // paths. Empty: not known.
    analysis::Numbering numbering{};
};

struct Wishes {
    double timeout_s;
    bool clocks; // compare them, if all ranks wish so
    bool stids;  // to be told them: this rank writes a log
};

// Seconds.
inline double least_for_the_tree(double timeout_s) { return std::min(timeout_s, 5.0); }

// Over `comm`, whose ranks are those of MPI_COMM_WORLD, whose errors are returned and on which
// nobody else communicates. Only non-blocking calls and tests; the wait between tests backs off.
// Takes at most `seconds` from `begin` on, when ranks are dead, and a quarter of that longer where a rank wants STIDs.
// `free_it`: nothing is under way on `comm` afterwards.
Collated collate(MPI_Comm comm, analysis::Profile mine, double seconds, bool& free_it,
                 Clock::time_point begin = Clock::now(), bool stids = false);

// The same over MPI_COMM_WORLD: in a job of few ranks and small profiles by star.hpp, else on a communicator that is
// made here; with clocks on every rank these are compared first. Takes at most timeout_s, or where the last rank comes
// late twice least_for_the_tree() longer.
Collated collate_world(analysis::Profile mine, const Wishes& wishes);

// The clocks alone, after MPI_Init. Waits for all ranks, without end for one that does not call it.
vfd::ClockOffset compare_clocks(double timeout_s);

} // namespace vftr::mpi
