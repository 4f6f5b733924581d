// SPDX-License-Identifier: BSD-3-Clause
//
// Format (format.hpp): the event stream of a thread, which is the payload of its Events segments.
//
// Time is counted in units of 2^SegmentHeader::flags ticks, as floor(ticks / unit). Each event begins with a LEB128
// number, its head. The head holds the kind of the event and the number of units since the previous event of the
// segment (for the first event: since arg0 / unit). An enter and its leave nearly always take two or three bytes
// together. A node id is stored as the LEB128 of the zigzag-coded difference to the id of the latest event of this
// segment that carried one (for the first such event: the difference to 0).
#pragma once

#include <cstddef>
#include <cstdint>

namespace vftr::vfd {

enum class EventKind : std::uint8_t {
    Leave = 0, // head = units << 2: the innermost open enter of the stream ends (only with FlagAllEvents)
    // For all other kinds, head = units << 4 | kind. Their numbers are below 16 and are not multiples of 4.
    PredictedCallee = 1, // enters the predicted node (successor_prediction.hpp; only with FlagAllEvents)
    // The first of the NearCallees kinds that lie between 2 and 13. The n-th of them enters the n-th child (counted
    // from 1, by id) of the innermost open enter of the stream, or of the root where nothing is entered (only with
    // FlagAllEvents).
    NearCallee = 2,
    // It is followed by LEB128 n and enters the n-th child in the same way; n = 0 enters the innermost open path itself
    // once more.
    AnyCallee = 14,
    Extended = 15, // followed by one byte ExtendedKind and its payload
};
inline constexpr unsigned NearCallees = 9;
constexpr unsigned kind_of_near_callee(unsigned n) { return n + n / 3 + 1; }
constexpr unsigned near_callee_of_kind(unsigned kind) { return kind - kind / 4 - 1; }
inline constexpr unsigned LeaveBits = 2, KindBits = 4; // low bits of a head that hold the kind
inline constexpr unsigned MostUnitBits = 16;           // largest value of SegmentHeader::flags

enum class ExtendedKind : std::uint8_t {
    // It is followed by LEB128 tid: from here on another thread uses this record; nothing is entered.
    Thread = 1,
    LeaveOf = 2, // followed by a node id: the innermost enter of this node ends
    // A transfer ends. It is followed by one byte, Direction | Span << 2 | flags (below), and by these LEB128 numbers:
    // with MessageUnseen, the ticks since its presumed end; the ticks that it took; with MessageElsewhere, the index of
    // the thread that began it; the node id of the call path that began it (the id itself, not a difference); the
    // target; the bytes to or from each rank; the id of the TypeRecord (0: not known); the zigzag-coded tag (-1: it has
    // none); with MessageCommunicator, the number of its communicator (below).
    Message = 3,
    // A collective call ends. It is followed by these LEB128 numbers: the ticks that it took, the node id of its call
    // path, the id of the GroupRecord of its communicator (of the remote group for an intercommunicator), and the index
    // of its root in the group + 1 (0: it has no root).
    Collective = 4,
    Enter = 5, // followed by a node id
    // The first event of a segment, if FlagRingBuffer is set or the sequence has a gap before the segment. It is
    // followed by LEB128 n and n node ids (the ids themselves, not differences): the nodes that are entered when the
    // segment begins, outermost first. A reader that has read the preceding segment knows them already.
    Entered = 6,
    // A collective call of a communicator other than MPI_COMM_WORLD ends. It is followed by the LEB128 number of the
    // communicator, and then by what follows a Collective.
    CollectiveElsewhere = 7,
    // A blocking probe has found a message. It is followed by one byte, 1 if the probe has taken the message
    // (MPI_Mprobe)
    // and else 0, and by these LEB128 numbers: the ticks that the probe took, the node id of its call path, the sender,
    // the bytes, the zigzag-coded tag, and the number of the communicator.
    Probe = 8,
};
inline constexpr std::size_t MaxEventBytes = 24;
inline constexpr std::size_t MaxMessageBytes = 72; // limit for an Extended Message or Collective

// Flags of an Extended Message, in the bits above direction and span.
inline constexpr unsigned MessageElsewhere = 16; // another thread began it
// The program never saw the end of the transfer; the first number is the ticks since its presumed end.
inline constexpr unsigned MessageUnseen = 32;
// The communicator is not MPI_COMM_WORLD. Its number is the same on all its members, and hardly ever that of another
// communicator of the job: it is a hash of how the communicator was made (mpi/communicator_number.hpp). Only messages
// between two ranks have it, as messages of collective calls are followed by that of the call.
inline constexpr unsigned MessageCommunicator = 64;

} // namespace vftr::vfd
