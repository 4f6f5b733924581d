// SPDX-License-Identifier: BSD-3-Clause
//
// What MPI_Init, MPI_Init_thread, MPI_Finalize and MPI_Pcontrol do besides being recorded; the same
// for all languages. All of it keeps errno, happens once where one binding calls another
// underneath, and does nothing while nothing is recorded.
#pragma once

namespace vftr::mpi {

// Before MPI_Init: that it is the MPI library we were built for. After it, if it succeeded: tells the session rank and
// size.
class JoinWorld {
public:
    JoinWorld();
    ~JoinWorld();
    JoinWorld(const JoinWorld&) = delete;
    JoinWorld& operator=(const JoinWorld&) = delete;
};

// Before the MPI library ends: the ranks' profiles come together on rank 0.
void leave_world();

// MPI_Pcontrol: 0 pauses, 1 resumes, 2 flushes. Its own entry in the call tree stands outside the
// pause, at both ends. With mpi.pcontrol "messages", 0 and 1 are for the messages alone.
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
