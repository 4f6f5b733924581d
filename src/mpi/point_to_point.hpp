// SPDX-License-Identifier: BSD-3-Clause
//
// Verbs for messages between two ranks. A receive is recorded with the bytes, the sender and the tag that its status
// names; if the program does not want the status, the wrapper passes a status of its own.
#pragma once

#include "mpi/messages.hpp"

namespace vftr::mpi {

// What is known of a message when it begins.
struct Envelope {
    MPI_Count count;
    MPI_Datatype type;
    int peer, tag;
    Communicator comm;
    bool status_tells; // for a receive: its status gives sender and bytes
};

// MPICH (4.0) does not fill in the status of MPI_Isendrecv. There the receive is recorded as it was asked for, if it
// names its sender.
#ifdef MPICH
inline constexpr bool IsendrecvHasStatus = false;
#else
inline constexpr bool IsendrecvHasStatus = true;
#endif

// Return the message's part of an operation; a receive lacks what only its status contains.
Part sending(const Envelope& envelope);
Part receiving(const Envelope& envelope);

template <class L, Kind kind>
class Send {
public:
    struct Args {
        typename L::Number count;
        typename L::Type type;
        typename L::Int peer, tag;
        typename L::Comm comm;
        typename L::Int partitions = MPI_Count{1};
        typename L::template Variable<MPI_Request> request = {};
    };
    Send(Call& call, const Args& args) : call_(call), args_(args) {}
    void done() {
        if constexpr (kind == Kind::Start)
            if (add_plain())
                return;
        add();
    }

private:
    void add() {
        Operation operation{};
        if (wants_parts(call_, kind))
            operation.first = sending({args_.count * args_.partitions, args_.type, static_cast<int>(args_.peer),
                                       static_cast<int>(args_.tag), communicator(args_.comm), true});
        conclude<L, kind>(call_, args_.request, operation);
    }

    // This function is not inlined, as the wrappers would be long.
    __attribute__((noinline)) bool add_plain() {
        if (!may_be_plain(call_))
            return false;
        const Communicator* const comm = known_communicator(args_.comm);
        const int peer = args_.peer;
        if (!comm || peer < 0 || static_cast<std::uint32_t>(peer) >= comm->peers()->size())
            return false;
        const std::uint32_t target = comm->peers()->rank(static_cast<std::uint32_t>(peer));
        const std::uint64_t handle = key_of(args_.request.handle());
        const void* const variable = args_.request.address();
        PlainRequest* const slot = selection.has(target) ? plain_slot(call_, handle, variable) : nullptr;
        if (VFTR_UNLIKELY(!slot))
            return false;
        slot->bytes = bytes_of(args_.count * args_.partitions, args_.type);
        slot->place = record::count_begun(call_.end(), target, slot->bytes);
        slot->type = type_id(args_.type); // which moves the begin of the call where it is a type's first use
        slot->counted_to = call_.end();
        slot->target = target;
        slot->tag = args_.tag;
        slot->communicator = comm->number;
        hold_plain(call_, *slot, handle, variable);
        return true;
    }

    Call& call_;
    const Args args_;
};

// Ends a receiving verb: the message is recorded now, or when its request ends.
template <class L, Kind kind>
void conclude_receive(Call& call, const StatusSlot<L>& slot, const typename L::template Variable<MPI_Request>& request,
                      Operation& operation) {
    if constexpr (kind == Kind::Plain) {
        if (operation.first.used && slot.readable()) {
            const MPI_Status status = slot.value();
            record_part(call, call.place(), operation.first, &status);
        }
    } else if (wants_request(call, kind)) {
        add_request<L>(call, kind, request, operation);
    }
}

template <class L, Kind kind>
class Recv {
public:
    struct Args {
        typename L::Number count;
        typename L::Type type;
        typename L::Int peer, tag;
        typename L::Comm comm;
        typename L::Int partitions = MPI_Count{0}; // 0: not partitioned
        typename L::StatusVariable status = {};
        typename L::template Variable<MPI_Request> request = {};
    };
    Recv(Call& call, const Args& args)
        : call_(call), args_(args), slot_(args.status, kind == Kind::Plain && call.logs_messages()) {}
    typename L::StatusVariable status() const { return slot_.passed(); }
    void done() {
        if constexpr (kind == Kind::Start)
            if (add_plain())
                return;
        add();
    }

private:
    void add() {
        Operation operation{};
        if (wants_parts(call_, kind)) {
            const MPI_Count partitions = args_.partitions;
            const bool second = kind == Kind::Start && call_.has_request(); // the receive of MPI_Isendrecv
            const bool has_status = partitions == 0 && (IsendrecvHasStatus || !second);
            operation.first =
                receiving({args_.count * (partitions == 0 ? 1 : partitions), args_.type, static_cast<int>(args_.peer),
                           static_cast<int>(args_.tag), communicator(args_.comm), has_status});
        }
        conclude_receive<L, kind>(call_, slot_, args_.request, operation);
    }

    __attribute__((noinline)) bool add_plain() {
        if (!may_be_plain(call_) || args_.partitions != 0)
            return false;
        const Communicator* const comm = known_communicator(args_.comm);
        const std::uint64_t handle = key_of(args_.request.handle());
        const void* const variable = args_.request.address();
        PlainRequest* const slot = comm && args_.peer != MPI_PROC_NULL ? plain_slot(call_, handle, variable) : nullptr;
        if (VFTR_UNLIKELY(!slot))
            return false;
        slot->peers = comm->peers();
        slot->type = type_id(args_.type);
        slot->place = call_.place();
        slot->counted_to = 0;
        slot->target = 0;
        slot->tag = -1;
        slot->communicator = comm->number;
        hold_plain(call_, *slot, handle, variable);
        return true;
    }

    Call& call_;
    const Args args_;
    StatusSlot<L> slot_;
};

// A blocking probe waits for a message as a receive does. That is of interest only to the event stream.
inline bool streams_probe(const Call& call) { return call.logs_messages() && streams_messages(); }

template <class L, Kind>
class Probe {
public:
    struct Args {
        typename L::Comm comm;
        typename L::StatusVariable status;
    };
    Probe(Call& call, const Args& args) : call_(call), comm_(args.comm), slot_(args.status, streams_probe(call)) {}
    typename L::StatusVariable status() const { return slot_.passed(); }
    void done() {
        if (slot_.readable() && call_.succeeded())
            record_probe(call_, communicator(comm_), slot_.value(), false);
    }

private:
    Call& call_;
    const typename L::Comm comm_;
    StatusSlot<L> slot_;
};

// Mprobe and Improbe, which has a flag. A later Mrecv has only the message handle, so the communicator is kept under
// it.
template <class L, Kind>
class MatchedProbe {
public:
    struct Args {
        typename L::Comm comm;
        typename L::template Variable<MPI_Message> message;
        typename L::StatusVariable status;
        typename L::IntResult flag = {};
    };
    MatchedProbe(Call& call, const Args& args)
        : call_(call), args_(args), slot_(args.status, !args.flag && streams_probe(call)) {}
    typename L::StatusVariable status() const { return slot_.passed(); }
    void done() {
        if (!call_.tracks() || !call_.succeeded() || (args_.flag && !*args_.flag))
            return;
        const Communicator known = communicator(args_.comm);
        if (known)
            keep_message(args_.message.handle(), known);
        if (slot_.readable())
            record_probe(call_, known, slot_.value(), true);
    }

private:
    Call& call_;
    const Args args_;
    StatusSlot<L> slot_;
};

template <class L, Kind kind>
class MatchedRecv {
public:
    struct Args {
        typename L::Number count;
        typename L::Type type;
        typename L::template Variable<MPI_Message> message;
        typename L::StatusVariable status = {};
        typename L::template Variable<MPI_Request> request = {};
    };
    MatchedRecv(Call& call, const Args& args)
        : call_(call), args_(args), comm_(call.tracks() ? take_message(key_of(args.message.handle())) : Communicator{}),
          slot_(args.status, kind == Kind::Plain && call.logs_messages()) {}
    typename L::StatusVariable status() const { return slot_.passed(); }
    void done() {
        Operation operation{};
        if (wants_parts(call_, kind) && comm_)
            operation.first = receiving({args_.count, args_.type, MPI_ANY_SOURCE, MPI_ANY_TAG, comm_, true});
        conclude_receive<L, kind>(call_, slot_, args_.request, operation);
    }

private:
    Call& call_;
    const Args args_;
    const Communicator comm_;
    StatusSlot<L> slot_;
};

} // namespace vftr::mpi
