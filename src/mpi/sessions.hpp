// SPDX-License-Identifier: BSD-3-Clause
//
// Programs that open MPI by sessions (MPI 4) and may never call MPI_Init.
//
// Rank and size are those in "mpi://WORLD", asked for in a session of our own, which is open from the program's first session to
// its last. There is no collation over MPI: a communicator could only be made by a call that waits for all ranks, however long
// that takes. Instead rank 0 reads the other ranks' files, as it does for ranks that do not come to MPI_Finalize.
#pragma once

namespace vftr::mpi {

// After a session has been opened, before one is closed. Any thread; keep errno; nothing happens while nothing is recorded or where
// MPI_Init has told rank and size.
void session_began();
void session_ends();

} // namespace vftr::mpi
