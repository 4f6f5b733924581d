// SPDX-License-Identifier: BSD-3-Clause
//
// Programs that open MPI by sessions (MPI 4) and may never call MPI_Init.
//
// Rank and size are those in "mpi://WORLD", asked for in a session of our own, which is open from the program's first
// session to its last. There is no collation over MPI: a communicator could only be made by a call that waits for all
// ranks, however long that takes. Instead rank 0 reads the other ranks' files, as it does for ranks that do not come to
// MPI_Finalize.
#pragma once

namespace vftr::mpi {

// After a session has been opened. Any thread; keeps errno; nothing happens while nothing is recorded or where MPI_Init
// has told rank and size.
void session_began();

// Lives while a session is closed. Results are written when MPI has closed it: rank 0 waits for the others' files, and
// until then they may need it for their last messages.
class SessionEnds {
public:
    SessionEnds();
    ~SessionEnds();
    SessionEnds(const SessionEnds&) = delete;
    SessionEnds& operator=(const SessionEnds&) = delete;

private:
    bool last_ = false;
};

} // namespace vftr::mpi
