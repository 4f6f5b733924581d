// SPDX-License-Identifier: BSD-3-Clause
//
// Verbs by which handles come and go.
#pragma once

#include "mpi/messages.hpp"

namespace vftr::mpi {

// A handle that a call frees, or after which it means something else; the MPI library gives the same one out again.
template <class L, class Handle, void (*forget)(std::uint64_t)>
class Forget {
public:
    Forget(Call& call, const typename L::template Variable<Handle>& handle)
        : call_(call), handle_(call.tracks() ? key_of(handle.handle()) : 0) {}
    void done() {
        if (handle_ != 0 && call_.succeeded())
            forget(handle_);
    }

private:
    Call& call_;
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

// A communicator with another job: spawned, parent, connected.
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
