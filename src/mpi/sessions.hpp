// SPDX-License-Identifier: BSD-3-Clause
//
// Support for programs that open MPI by sessions (MPI 4) and may never call MPI_Init.
//
// Rank and size are those in "mpi://WORLD". They are asked for in a session that vftrace opens itself, from the
// program's first session to its last. The profiles are not collated over MPI: a communicator could only be made by a
// call that waits for all ranks, however long that takes. Instead rank 0 reads the other ranks' files, as it does for
// ranks that do not come to MPI_Finalize.
#pragma once

namespace vftr::mpi {

// To be called after a session has been opened. Any thread may call it, and it preserves errno. It does nothing while
// nothing is recorded, or if MPI_Init has already given rank and size.
void session_began();

// Lives while a session is being closed. Results are written when MPI has closed the session: rank 0 waits for the
// other ranks' files, and until the session is closed those ranks may need rank 0 for their last messages.
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
