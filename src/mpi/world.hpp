// SPDX-License-Identifier: BSD-3-Clause
//
// What MPI_Init, MPI_Init_thread, MPI_Finalize and MPI_Pcontrol do besides being recorded. It is the same for all
// languages. It preserves errno, happens once if one binding calls another internally, and does nothing while nothing
// is recorded.
#pragma once

namespace vftr::mpi {

// Before MPI_Init: checks that the MPI library is the one that vftrace was built for. After it, if it succeeded: gives
// rank and size to the session.
class JoinWorld {
public:
    JoinWorld();
    ~JoinWorld();
    JoinWorld(const JoinWorld&) = delete;
    JoinWorld& operator=(const JoinWorld&) = delete;
};

// Collects the ranks' profiles on rank 0, before the MPI library ends.
void leave_world();

// MPI_Pcontrol: 0 pauses, 1 resumes, 2 flushes. At both ends of a pause its own entry in the call tree lies outside of
// the pause. With mpi.pcontrol set to "messages", 0 and 1 affect only the messages.
class Control {
public:
    explicit Control(int level);
    ~Control();
    Control(const Control&) = delete;
    Control& operator=(const Control&) = delete;

private:
    int level_;
    bool messages_only_;
};

} // namespace vftr::mpi
