// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/point_to_point.hpp"

namespace vftr::mpi {

Part sending(const Envelope& envelope) {
    if (envelope.peer < 0)
        return {};
    return part_with(envelope.peers, envelope.peer, vfd::Direction::Send, bytes_of(envelope.count, envelope.type),
                     envelope.tag, envelope.type);
}

Part receiving(const Envelope& envelope) {
    if (!envelope.status_tells)
        return part_with(envelope.peers, envelope.peer, vfd::Direction::Receive,
                         bytes_of(envelope.count, envelope.type), envelope.tag, envelope.type);
    Part part{};
    if (!envelope.peers || envelope.peer == MPI_PROC_NULL)
        return part;
    part.peers = envelope.peers;
    part.tag = -1;
    part.type = type_id(envelope.type);
    part.direction = vfd::Direction::Receive;
    part.span = vfd::Span::Rank;
    part.used = true;
    return part;
}

} // namespace vftr::mpi
