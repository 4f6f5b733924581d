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

// Around MPI_Finalize: collects the ranks' profiles on rank 0, before the MPI library ends but after the program's last
// calls.
//
// These may be in the delete callbacks of attributes of MPI_COMM_SELF, which MPI_Finalize calls before it does anything
// else, in the reverse order in which the attributes were set. Libraries end themselves there (MPI-IO, HDF5), with
// messages. So an attribute of our own is set in MPI_Init, before the program can set one, and its callback collects
// the profiles. Where there is none (MPI_Init was not seen, or is that of a stand-in without attributes) they are
// collected before the MPI library is called, and where the callback did not come (one of the program's has failed),
// afterwards.
class LeaveWorld {
public:
    LeaveWorld();
    ~LeaveWorld();
    LeaveWorld(const LeaveWorld&) = delete;
    LeaveWorld& operator=(const LeaveWorld&) = delete;
};

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
