// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/collectives.hpp"

namespace vftr::mpi {
namespace {

Shape shape_of(const Communicator& comm) {
    Shape shape{};
    shape.size = static_cast<std::int32_t>(comm.peers()->size());
    shape.own = comm.remote ? -1 : comm.local->own_place();
    shape.inter = comm.remote;
    shape.local_size = static_cast<std::int32_t>(comm.local->size());
    shape.local_own = comm.local->own_place();
    return shape;
}

auto each(Numbers counts, MPI_Datatype type) {
    return [=, size = bytes_of(1, type)](std::int32_t i) {
        const MPI_Count count = counts[i];
        return count > 0 ? static_cast<std::uint64_t>(count) * size : 0;
    };
}
// Returns the bytes for each index with its own type. bytes_of must not be called for a type without elements, because
// such a type may be invalid.
auto each(Numbers counts, Types types, Moves& moves) {
    return [=, &moves](std::int32_t i) -> std::uint64_t {
        if (counts[i] <= 0)
            return 0;
        const MPI_Datatype type = types[i];
        moves.set_types(type, type);
        return bytes_of(counts[i], type);
    };
}
auto equal(MPI_Count count, MPI_Datatype type) {
    return [=] { return bytes_of(count, type); };
}

} // namespace

Moves::Moves(Call& call, Kind kind, const CollectiveCall& arguments)
    : call_(call), kind_(kind), comm_(arguments.comm), group_(communicator(arguments.comm)), root_(arguments.root) {
    if (!group_)
        return;
    shape_ = shape_of(group_);
    if (shape_.inter)
        root_ = root_ == MPI_ROOT ? RootIsHere : root_ == MPI_PROC_NULL ? RootIsBesideMe : root_;
}

void Moves::operator()(const Move& move) {
    const Group* group = move.local ? group_.local : group_.peers();
    const MPI_Datatype type = move.direction == vfd::Direction::Send ? sent_ : received_;
    Part part{};
    if (move.peer >= 0) {
        part = part_with(group, move.peer, move.direction, move.bytes, -1, type);
    } else {
        const bool others = move.peer == EveryoneElse;
        part.target = others ? group->id_of_others() : group->id();
        part.span = others ? vfd::Span::Others : vfd::Span::Group;
        part.direction = move.direction;
        part.bytes = move.bytes;
        part.tag = -1;
        part.type = type_id(type);
        part.used = part.target != 0;
    }
    if (!part.used)
        return;
    if (kind_ == Kind::Plain)
        record_part(call_, call_.place(), part, nullptr);
    else
        requests.add_part(operation_, part);
}

void Moves::end(bool rooted) {
    if (!streams_messages())
        return;
    operation_.group = group_.peers()->id();
    operation_.root = rooted && root_ >= 0 ? root_ : -1;
    operation_.communicator = group_.number;
    if (kind_ == Kind::Plain && operation_.group != 0)
        record::record_collective(call_.place(), call_.end(), operation_.group, operation_.root, group_.number);
}

void barrier(const CollectiveCall&, Moves& moves) { moves.end(false); }

void bcast(const CollectiveCall& call, Moves& moves) {
    const auto bytes = equal(call.count, call.type);
    one_to_all(moves.shape(), moves.root(), false, Equal{bytes}, bytes, moves);
    moves.end(true);
}

void gather(const CollectiveCall& call, Moves& moves) {
    moves.set_types(call.sendtype, call.recvtype);
    all_to_one(moves.shape(), moves.root(), call.send_in_place, equal(call.sendcount, call.sendtype),
               Equal{equal(call.recvcount, call.recvtype)}, moves);
    moves.end(true);
}

void gatherv(const CollectiveCall& call, Moves& moves) {
    moves.set_types(call.sendtype, call.recvtype);
    // The receive type is significant at the root only.
    const auto received = [&](std::int32_t i) { return bytes_of(call.recvcounts[i], call.recvtype); };
    all_to_one(moves.shape(), moves.root(), call.send_in_place, equal(call.sendcount, call.sendtype), Each{received},
               moves);
    moves.end(true);
}

void scatter(const CollectiveCall& call, Moves& moves) {
    moves.set_types(call.sendtype, call.recvtype);
    one_to_all(moves.shape(), moves.root(), call.receive_in_place, Equal{equal(call.sendcount, call.sendtype)},
               equal(call.recvcount, call.recvtype), moves);
    moves.end(true);
}

void scatterv(const CollectiveCall& call, Moves& moves) {
    moves.set_types(call.sendtype, call.recvtype);
    const auto sent = [&](std::int32_t i) { return bytes_of(call.sendcounts[i], call.sendtype); };
    one_to_all(moves.shape(), moves.root(), call.receive_in_place, Each{sent}, equal(call.recvcount, call.recvtype),
               moves);
    moves.end(true);
}

void allgather(const CollectiveCall& call, Moves& moves) {
    const bool in_place = call.send_in_place;
    const auto received = equal(call.recvcount, call.recvtype);
    const auto sent = in_place ? received : equal(call.sendcount, call.sendtype);
    moves.set_types(in_place ? call.recvtype : call.sendtype, call.recvtype);
    all_to_all(moves.shape(), in_place, Equal{sent}, Equal{received}, moves);
    moves.end(false);
}

void allgatherv(const CollectiveCall& call, Moves& moves) {
    const bool in_place = call.send_in_place;
    const auto received = each(call.recvcounts, call.recvtype);
    const auto sent = [&] { return in_place ? received(moves.shape().own) : bytes_of(call.sendcount, call.sendtype); };
    moves.set_types(in_place ? call.recvtype : call.sendtype, call.recvtype);
    all_to_all(moves.shape(), in_place, Equal{sent}, Each{received}, moves);
    moves.end(false);
}

void alltoall(const CollectiveCall& call, Moves& moves) { allgather(call, moves); }

void alltoallv(const CollectiveCall& call, Moves& moves) {
    const bool in_place = call.send_in_place;
    const auto received = each(call.recvcounts, call.recvtype);
    const auto sent = in_place ? received : each(call.sendcounts, call.sendtype);
    moves.set_types(in_place ? call.recvtype : call.sendtype, call.recvtype);
    all_to_all(moves.shape(), in_place, Each{sent}, Each{received}, moves);
    moves.end(false);
}

void alltoallw(const CollectiveCall& call, Moves& moves) {
    const bool in_place = call.send_in_place;
    const auto received = each(call.recvcounts, call.recvtypes, moves);
    const auto sent =
        in_place ? each(call.recvcounts, call.recvtypes, moves) : each(call.sendcounts, call.sendtypes, moves);
    all_to_all(moves.shape(), in_place, Each{sent}, Each{received}, moves);
    moves.end(false);
}

void reduce(const CollectiveCall& call, Moves& moves) {
    const auto bytes = equal(call.count, call.type);
    all_to_one(moves.shape(), moves.root(), call.send_in_place, bytes, Equal{bytes}, moves);
    moves.end(true);
}

void allreduce(const CollectiveCall& call, Moves& moves) {
    // The number is the same for all ranks, so the library is asked once.
    const auto bytes = [known = bytes_of(call.count, call.type)] { return known; };
    all_to_all(moves.shape(), call.send_in_place, Equal{bytes}, Equal{bytes}, moves);
    moves.end(false);
}

void reduce_scatter(const CollectiveCall& call, Moves& moves) {
    const auto kept = each(call.recvcounts, call.type);
    const Shape& shape = moves.shape();
    std::uint64_t sum = 0;
    for (std::int32_t i = 0; i < shape.local_size; ++i)
        sum += kept(i);
    mpi::reduce_scatter(
        shape, call.send_in_place, [sum] { return sum; }, Each{kept}, [&] { return kept(shape.local_own); }, moves);
    moves.end(false);
}

void reduce_scatter_block(const CollectiveCall& call, Moves& moves) {
    const std::uint64_t kept = bytes_of(call.recvcount, call.type);
    const Shape& shape = moves.shape();
    const std::uint64_t sum = kept * static_cast<std::uint64_t>(shape.local_size);
    const auto block = [kept] { return kept; };
    mpi::reduce_scatter(
        shape, call.send_in_place, [sum] { return sum; }, Equal{block}, block, moves);
    moves.end(false);
}

void scan(const CollectiveCall& call, Moves& moves) {
    chain(moves.shape(), equal(call.count, call.type), moves);
    moves.end(false);
}

void neighbor_allgather(const CollectiveCall& call, Moves& moves) {
    const Neighbours near = neighbours_of(moves.comm());
    const auto sent = equal(call.sendcount, call.sendtype);
    const auto received = equal(call.recvcount, call.recvtype);
    moves.set_types(call.sendtype, call.recvtype);
    neighbours(
        near.sources, near.destinations, [&](std::int32_t) { return sent(); }, [&](std::int32_t) { return received(); },
        moves);
    moves.end(false);
}

void neighbor_allgatherv(const CollectiveCall& call, Moves& moves) {
    const Neighbours near = neighbours_of(moves.comm());
    const auto sent = equal(call.sendcount, call.sendtype);
    moves.set_types(call.sendtype, call.recvtype);
    neighbours(
        near.sources, near.destinations, [&](std::int32_t) { return sent(); }, each(call.recvcounts, call.recvtype),
        moves);
    moves.end(false);
}

void neighbor_alltoallv(const CollectiveCall& call, Moves& moves) {
    const Neighbours near = neighbours_of(moves.comm());
    moves.set_types(call.sendtype, call.recvtype);
    neighbours(near.sources, near.destinations, each(call.sendcounts, call.sendtype),
               each(call.recvcounts, call.recvtype), moves);
    moves.end(false);
}

void neighbor_alltoallw(const CollectiveCall& call, Moves& moves) {
    const Neighbours near = neighbours_of(moves.comm());
    neighbours(near.sources, near.destinations, each(call.sendcounts, call.sendtypes, moves),
               each(call.recvcounts, call.recvtypes, moves), moves);
    moves.end(false);
}

} // namespace vftr::mpi
