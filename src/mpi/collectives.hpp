// SPDX-License-Identifier: BSD-3-Clause
//
// Verbs for collective calls. patterns.hpp decides which data they move; this file gives the arguments of each function
// to its pattern. Equal amounts to or from all members of a group make one record, whatever the number of members.
#pragma once

#include "mpi/messages.hpp"

namespace vftr::mpi {

// The arguments of any collective call, of either language. Arguments that a function does not have, or that have no
// meaning on this rank, are not read.
struct CollectiveCall {
    bool send_in_place, receive_in_place;
    MPI_Count sendcount;
    Numbers sendcounts;
    MPI_Datatype sendtype;
    Types sendtypes;
    MPI_Count recvcount;
    Numbers recvcounts;
    MPI_Datatype recvtype;
    Types recvtypes;
    MPI_Count count;
    MPI_Datatype type;
    int root;
    MPI_Comm comm;
};

// Receives the moves of a collective call, and records them or adds them to the call's request.
class Moves {
public:
    Moves(Call& call, Kind kind, const CollectiveCall& arguments);
    const Shape& shape() const { return shape_; }
    std::int32_t root() const { return root_; } // with the special values of patterns.hpp
    MPI_Comm comm() const { return comm_; }
    bool ready() const { return static_cast<bool>(group_); }

    // Sets the types of the data that is sent and received by the next moves.
    void set_types(MPI_Datatype sent, MPI_Datatype received) {
        sent_ = sent;
        received_ = received;
    }
    void operator()(const Move& move);
    // To be called after the last move. `rooted`: arguments.root has a meaning.
    void end(bool rooted);
    Operation& operation() { return operation_; }

private:
    Call& call_;
    const Kind kind_;
    const MPI_Comm comm_;
    const Communicator group_;
    Shape shape_{};
    std::int32_t root_;
    MPI_Datatype sent_{}, received_{};
    Operation operation_{};
};

// Each of these passes the moves of one call to `moves`.
void barrier(const CollectiveCall& call, Moves& moves);
void bcast(const CollectiveCall& call, Moves& moves);
void gather(const CollectiveCall& call, Moves& moves);
void gatherv(const CollectiveCall& call, Moves& moves);
void scatter(const CollectiveCall& call, Moves& moves);
void scatterv(const CollectiveCall& call, Moves& moves);
void allgather(const CollectiveCall& call, Moves& moves);
void allgatherv(const CollectiveCall& call, Moves& moves);
void alltoall(const CollectiveCall& call, Moves& moves);
void alltoallv(const CollectiveCall& call, Moves& moves);
void alltoallw(const CollectiveCall& call, Moves& moves);
void reduce(const CollectiveCall& call, Moves& moves);
void allreduce(const CollectiveCall& call, Moves& moves);
void reduce_scatter(const CollectiveCall& call, Moves& moves);
void reduce_scatter_block(const CollectiveCall& call, Moves& moves);
void scan(const CollectiveCall& call, Moves& moves);
void neighbor_allgather(const CollectiveCall& call, Moves& moves);
void neighbor_allgatherv(const CollectiveCall& call, Moves& moves);
void neighbor_alltoallv(const CollectiveCall& call, Moves& moves);
void neighbor_alltoallw(const CollectiveCall& call, Moves& moves);

template <class L, Kind kind, void (*name_moves)(const CollectiveCall&, Moves&)>
class Collective {
public:
    struct Args {
        typename L::Buffer sendbuf = {};
        typename L::Number sendcount = {};
        typename L::NumberArray sendcounts = {};
        typename L::Type sendtype = {};
        typename L::TypeArray sendtypes = {};
        typename L::Buffer recvbuf = {};
        typename L::Number recvcount = {};
        typename L::NumberArray recvcounts = {};
        typename L::Type recvtype = {};
        typename L::TypeArray recvtypes = {};
        typename L::Number count = {};
        typename L::Type type = {};
        typename L::Int root = MPI_Count{0};
        typename L::Comm comm;
        typename L::template Variable<MPI_Request> request = {};
    };
    Collective(Call& call, const Args& args) : call_(call), args_(args) {}
    void done() {
        if (wants_parts(call_, kind)) {
            const CollectiveCall arguments{L::in_place(args_.sendbuf),
                                           L::in_place(args_.recvbuf),
                                           args_.sendcount,
                                           args_.sendcounts,
                                           args_.sendtype,
                                           L::types(args_.sendtypes),
                                           args_.recvcount,
                                           args_.recvcounts,
                                           args_.recvtype,
                                           L::types(args_.recvtypes),
                                           args_.count,
                                           args_.type,
                                           static_cast<int>(args_.root),
                                           args_.comm};
            Moves moves(call_, kind, arguments);
            if (moves.ready()) {
                moves.set_types(arguments.type, arguments.type);
                name_moves(arguments, moves);
            }
            add(moves.operation());
        } else if (wants_request(call_, kind)) {
            Operation nothing{};
            add(nothing);
        }
    }

private:
    void add(Operation& operation) {
        if constexpr (kind != Kind::Plain)
            add_request<L>(call_, kind, args_.request, operation);
    }

    Call& call_;
    const Args args_;
};

#define VFTR_COLLECTIVE(verb, function)                                                                                \
    template <class L, Kind kind>                                                                                      \
    using verb = Collective<L, kind, function>;
VFTR_COLLECTIVE(Barrier, barrier)
VFTR_COLLECTIVE(Bcast, bcast)
VFTR_COLLECTIVE(Gather, gather)
VFTR_COLLECTIVE(Gatherv, gatherv)
VFTR_COLLECTIVE(Scatter, scatter)
VFTR_COLLECTIVE(Scatterv, scatterv)
VFTR_COLLECTIVE(Allgather, allgather)
VFTR_COLLECTIVE(Allgatherv, allgatherv)
VFTR_COLLECTIVE(Alltoall, alltoall)
VFTR_COLLECTIVE(Alltoallv, alltoallv)
VFTR_COLLECTIVE(Alltoallw, alltoallw)
VFTR_COLLECTIVE(Reduce, reduce)
VFTR_COLLECTIVE(Allreduce, allreduce)
VFTR_COLLECTIVE(ReduceScatter, reduce_scatter)
VFTR_COLLECTIVE(ReduceScatterBlock, reduce_scatter_block)
VFTR_COLLECTIVE(Scan, scan)
VFTR_COLLECTIVE(NeighborAllgather, neighbor_allgather)
VFTR_COLLECTIVE(NeighborAllgatherv, neighbor_allgatherv)
VFTR_COLLECTIVE(NeighborAlltoall, neighbor_allgather) // one block to and from each neighbour
VFTR_COLLECTIVE(NeighborAlltoallv, neighbor_alltoallv)
VFTR_COLLECTIVE(NeighborAlltoallw, neighbor_alltoallw)
#undef VFTR_COLLECTIVE

} // namespace vftr::mpi
