// SPDX-License-Identifier: BSD-3-Clause
//
// Collation of the ranks' profiles at MPI_Finalize by a binomial reduction tree: log2(P) steps, each rank
// holds at most its own profile and one partner's. Bounded in time: a partner that does not answer within
// `timeout_s` is left out, and its ranks are listed in Profile::missing_ranks.
#pragma once

#include "analysis/profile.hpp"

#include <mpi.h>

namespace vftr::mpi {

// Over `comm` (a private duplicate of MPI_COMM_WORLD). Rank 0 returns the merged profile of all ranks but its own,
// with rank_count 0 if there is none; the others return an empty one. Only non-blocking calls and tests; the
// wait between tests backs off.
analysis::Profile collate(MPI_Comm comm, const analysis::Profile& mine, double timeout_s);

} // namespace vftr::mpi
