// SPDX-License-Identifier: BSD-3-Clause
//
// Which data a collective call moves between this process and the others. This file knows nothing of MPI.
//
// The patterns are those of a simple implementation: a broadcast goes from the root to every rank, the root itself
// included; a reduction comes from every rank to the root, or to every rank; a scan goes from each rank to the next; a
// reduce-scatter is a reduction to the first rank and a scatter from there. With MPI_IN_PLACE a rank sends nothing to
// itself. On an intercommunicator the others are the remote group. A move without data is no message.
//
// Numbers of bytes come from functions that are called only if the call's arguments have a meaning: a receive type that
// is significant at the root only may be garbage elsewhere.
#pragma once

#include "vfd/format.hpp"

#include <cstdint>

namespace vftr::mpi {

// How a process takes part in a call. For intercommunicators size is that of the remote group and own is -1.
struct Shape {
    std::int32_t size;
    std::int32_t own; // index in the group
    bool inter = false;
    std::int32_t local_size = 0; // of an intercommunicator
    std::int32_t local_own = 0;
};

// Stand for MPI_ROOT and MPI_PROC_NULL, whose values differ from one MPI library to the next.
enum SpecialRoot : std::int32_t { RootIsHere = -1, RootIsBesideMe = -2 };

enum Peers : std::int32_t { Everyone = -1, EveryoneElse = -2 };

// A move to or from the member with index `peer` of the group, or to or from each member that a value of Peers names.
struct Move {
    vfd::Direction direction;
    std::int32_t peer;
    std::uint64_t bytes;
    bool local = false; // on an intercommunicator: the peer is in the local group nevertheless
    bool operator==(const Move&) const = default;
};

// Equal: every peer has the same number of bytes, which a function without arguments returns. Each: bytes(i) are those
// of peer i.
template <class Bytes>
struct Equal {
    Bytes bytes;
};
template <class Bytes>
Equal(Bytes) -> Equal<Bytes>;
template <class Bytes>
struct Each {
    Bytes bytes;
};
template <class Bytes>
Each(Bytes) -> Each<Bytes>;

template <class Sink>
void move_one(vfd::Direction direction, std::int32_t peer, std::uint64_t bytes, Sink&& sink) {
    if (bytes != 0)
        sink(Move{direction, peer, bytes});
}

template <class Bytes, class Sink>
void move_all(vfd::Direction direction, std::int32_t size, std::int32_t left_out, bool local, Equal<Bytes> block,
              Sink&& sink) {
    const bool all = left_out < 0;
    if (size <= (all ? 0 : 1))
        return;
    if (const std::uint64_t bytes = block.bytes())
        sink(Move{direction, all ? Everyone : EveryoneElse, bytes, local});
}

template <class Bytes, class Sink>
void move_all(vfd::Direction direction, std::int32_t size, std::int32_t left_out, bool local, Each<Bytes> block,
              Sink&& sink) {
    for (std::int32_t peer = 0; peer < size; ++peer)
        if (peer != left_out)
            if (const std::uint64_t bytes = block.bytes(peer))
                sink(Move{direction, peer, bytes, local});
}

// Bcast, Scatter, Scatterv. `sent`: what the root sends; `received`: what each rank receives, a function without
// arguments.
template <class Sent, class Received, class Sink>
void one_to_all(const Shape& shape, std::int32_t root, bool in_place, Sent sent, Received received, Sink&& sink) {
    using vfd::Direction;
    if (root == RootIsBesideMe)
        return;
    const bool here = shape.inter ? root == RootIsHere : root == shape.own;
    if (here)
        move_all(Direction::Send, shape.size, in_place ? shape.own : -1, false, sent, sink);
    if (!here || (!shape.inter && !in_place))
        move_one(Direction::Receive, root, received(), sink);
}

// Gather, Gatherv, Reduce. `sent` is a function without arguments.
template <class Sent, class Received, class Sink>
void all_to_one(const Shape& shape, std::int32_t root, bool in_place, Sent sent, Received received, Sink&& sink) {
    using vfd::Direction;
    if (root == RootIsBesideMe)
        return;
    const bool here = shape.inter ? root == RootIsHere : root == shape.own;
    if (!here || (!shape.inter && !in_place))
        move_one(Direction::Send, root, sent(), sink);
    if (here)
        move_all(Direction::Receive, shape.size, in_place ? shape.own : -1, false, received, sink);
}

// Allgather, Allreduce, Alltoall and their variants. With in_place the caller passes as `sent` what MPI defines for
// that case.
template <class Sent, class Received, class Sink>
void all_to_all(const Shape& shape, bool in_place, Sent sent, Received received, Sink&& sink) {
    const std::int32_t left_out = in_place ? shape.own : -1;
    move_all(vfd::Direction::Send, shape.size, left_out, false, sent, sink);
    move_all(vfd::Direction::Receive, shape.size, left_out, false, received, sink);
}

// Scan, Exscan.
template <class Bytes, class Sink>
void chain(const Shape& shape, Bytes bytes, Sink&& sink) {
    if (shape.own + 1 < shape.size)
        move_one(vfd::Direction::Send, shape.own + 1, bytes(), sink);
    if (shape.own > 0)
        move_one(vfd::Direction::Receive, shape.own - 1, bytes(), sink);
}

// `total`: bytes of the whole vector; `scattered`: what each member of the local group keeps of it; `own`: what this
// process keeps. On an intercommunicator the vector goes to the first member of the remote group, which scatters what
// comes from the local group there.
template <class Total, class Scattered, class Own, class Sink>
void reduce_scatter(const Shape& shape, bool in_place, Total total, Scattered scattered, Own own, Sink&& sink) {
    using vfd::Direction;
    const std::int32_t place = shape.inter ? shape.local_own : shape.own;
    const std::int32_t size = shape.inter ? shape.local_size : shape.size;
    const bool first = place == 0;
    const std::int32_t left_out = in_place && first ? 0 : -1;
    const bool alone = in_place && first; // this process is the first and sends nothing to itself
    if (!alone || shape.inter)
        move_one(Direction::Send, 0, total(), sink);
    if (first) {
        move_all(Direction::Receive, shape.size, shape.inter ? -1 : left_out, false, Equal{total}, sink);
        move_all(Direction::Send, size, left_out, shape.inter, scattered, sink);
    }
    if (!alone || shape.inter)
        if (const std::uint64_t bytes = own())
            sink(Move{Direction::Receive, 0, bytes, shape.inter});
}

// `sources`, `destinations`: ranks in the communicator; negative ones (MPI_PROC_NULL) move nothing. sent(i) and
// received(i) are the bytes of the i-th.
template <class Sent, class Received, class Ranks, class Sink>
void neighbours(const Ranks& sources, const Ranks& destinations, Sent sent, Received received, Sink&& sink) {
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(destinations.size()); ++i)
        if (destinations[i] >= 0)
            move_one(vfd::Direction::Send, destinations[i], sent(i), sink);
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(sources.size()); ++i)
        if (sources[i] >= 0)
            move_one(vfd::Direction::Receive, sources[i], received(i), sink);
}

} // namespace vftr::mpi
