// SPDX-License-Identifier: BSD-3-Clause
//
// Verbs for calls that free a handle or make a communicator.
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

// Only the event stream wants the numbers of communicators, which follow from the calls that make them.
inline bool wants_numbers(const Call& call) { return call.tracks() && streams_messages(); }

// For a communicator with another job: spawned, parent or connected.
template <class L, Kind>
class ForeignComm {
public:
    struct Args {
        typename L::template Variable<MPI_Comm> comm;
        typename L::Comm parent = {};
    };
    ForeignComm(Call& call, const Args& args)
        : call_(call), comm_(args.comm),
          parent_(wants_numbers(call) ? static_cast<MPI_Comm>(args.parent) : MPI_Comm{}) {}
    void done() {
        if (!call_.tracks() || !call_.succeeded())
            return;
        learn_foreign(comm_.handle());
        if (parent_ != MPI_Comm{})
            learn_child(parent_, comm_.handle());
    }

private:
    Call& call_;
    const typename L::template Variable<MPI_Comm> comm_;
    const MPI_Comm parent_;
};

// What calls that make communicators within the job have in common. The parent is read before the call, because a
// program may give the same variable for the child.
template <class L>
class MadeComm {
protected:
    MadeComm(Call& call, typename L::Comm parent, typename L::template Variable<MPI_Comm> comm)
        : call_(call), wanted_(wants_numbers(call)), parent_(wanted_ ? static_cast<MPI_Comm>(parent) : MPI_Comm{}),
          comm_(comm) {}
    // Whether there is a communicator whose number is wanted.
    bool made() const { return wanted_ && call_.succeeded(); }
    MPI_Comm parent() const { return parent_; }
    MPI_Comm child() const { return comm_.handle(); }

private:
    Call& call_;
    const bool wanted_;
    const MPI_Comm parent_;
    const typename L::template Variable<MPI_Comm> comm_;
};

// For calls of all members of the parent.
template <class L, void (*learn)(MPI_Comm, MPI_Comm)>
class CommOfParent : MadeComm<L> {
public:
    struct Args {
        typename L::Comm parent;
        typename L::template Variable<MPI_Comm> comm;
    };
    CommOfParent(Call& call, const Args& args) : MadeComm<L>(call, args.parent, args.comm) {}
    void done() {
        if (this->made())
            learn(this->parent(), this->child());
    }
};

template <class L, Kind>
using ChildComm = CommOfParent<L, learn_child>;
template <class L, Kind>
using CopiedComm = CommOfParent<L, learn_copy>;

// For calls of the child's members alone.
template <class L, Kind>
class MembersComm : MadeComm<L> {
public:
    struct Args {
        typename L::template Variable<MPI_Comm> comm;
        typename L::Comm parent = {};
        typename L::Int tag = MPI_Count{0};
    };
    MembersComm(Call& call, const Args& args) : MadeComm<L>(call, args.parent, args.comm), tag_(args.tag) {}
    void done() {
        if (this->made())
            learn_child_of_members(this->parent(), static_cast<int>(tag_), this->child());
    }

private:
    const typename L::Int tag_;
};

} // namespace vftr::mpi
