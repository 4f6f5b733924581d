// SPDX-License-Identifier: BSD-3-Clause
//
// Verbs for calls that free a handle, or that make a communicator with another job.
#pragma once

#include "mpi/messages.hpp"

namespace vftr::mpi {

// For a handle that a call frees, or that means something else after the call. It is forgotten before the call, because
// the MPI library may give another thread the same handle before the call returns; and once more after it, because a
// function that MPI calls back may have used it.
template <class L, class Handle, void (*forget)(std::uint64_t)>
class Forget {
public:
    Forget(Call& call, const typename L::template Variable<Handle>& handle)
        : handle_(call.tracks() ? key_of(handle.handle()) : 0) {
        done();
    }
    void done() {
        if (handle_ != 0)
            forget(handle_);
    }

private:
    std::uint64_t handle_;
};

template <class L, Kind>
struct ForgetComm : Forget<L, MPI_Comm, forget_communicator> {
    struct Args {
        typename L::template Variable<MPI_Comm> comm;
    };
    ForgetComm(Call& call, const Args& args) : Forget<L, MPI_Comm, forget_communicator>(call, args.comm) {}
};

template <class L, Kind>
struct ForgetWin : Forget<L, MPI_Win, forget_window> {
    struct Args {
        typename L::template Variable<MPI_Win> win;
    };
    ForgetWin(Call& call, const Args& args) : Forget<L, MPI_Win, forget_window>(call, args.win) {}
};

template <class L, Kind>
struct ForgetType : Forget<L, MPI_Datatype, forget_type> {
    struct Args {
        typename L::template Variable<MPI_Datatype> type;
    };
    ForgetType(Call& call, const Args& args) : Forget<L, MPI_Datatype, forget_type>(call, args.type) {}
};

// For a communicator with another job: spawned, parent or connected.
template <class L, Kind>
class ForeignComm {
public:
    struct Args {
        typename L::template Variable<MPI_Comm> comm;
    };
    ForeignComm(Call& call, const Args& args) : call_(call), comm_(args.comm) {}
    void done() {
        if (call_.tracks() && call_.succeeded())
            learn_foreign(comm_.handle());
    }

private:
    Call& call_;
    const typename L::template Variable<MPI_Comm> comm_;
};

} // namespace vftr::mpi
