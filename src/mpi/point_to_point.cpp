// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/point_to_point.hpp"

namespace vftr::mpi {
namespace {

Part known_part(const Envelope& envelope, vfd::Direction direction) {
    Part part = part_with(envelope.comm.peers(), envelope.peer, direction, bytes_of(envelope.count, envelope.type),
                          envelope.tag, envelope.type);
    part.communicator = envelope.comm.number;
    return part;
}

} // namespace

Part sending(const Envelope& envelope) {
    return envelope.peer < 0 ? Part{} : known_part(envelope, vfd::Direction::Send);
}

Part receiving(const Envelope& envelope) {
    if (!envelope.status_tells)
        return known_part(envelope, vfd::Direction::Receive);
    Part part{};
    if (!envelope.comm || envelope.peer == MPI_PROC_NULL)
        return part;
    part.peers = envelope.comm.peers();
    part.tag = -1;
    part.type = type_id(envelope.type);
    part.communicator = envelope.comm.number;
    part.direction = vfd::Direction::Receive;
    part.span = vfd::Span::Rank;
    part.used = true;
    return part;
}

} // namespace vftr::mpi
