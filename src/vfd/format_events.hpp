// SPDX-License-Identifier: BSD-3-Clause
//
// Format (format.hpp): the stream of events of a thread, which is the payload of its Events segments.
//
// Time is counted in units of 2^SegmentHeader::flags ticks: floor(ticks / unit). Each event begins with a LEB128
// number, its head: which kind, and how many units after the event before it in the segment (the first: after arg0 /
// unit) it happened. So an enter and its leave take two or three bytes nearly always. Node ids are LEB128 of the
// zigzag-coded difference to the id of the latest event that carried one in this segment (first: difference to 0).
#pragma once

#include <cstddef>
#include <cstdint>

namespace vftr::vfd {

enum class EventKind : std::uint8_t {
    Leave = 0, // head = units << 2: the innermost enter of the stream ends (only with FlagAllEvents)
    // head = units << 4 | kind for all others, whose kinds are those numbers below 16 that are no multiples of 4:
    PredictedCallee = 1, // enters the node that is expected (successor_prediction.hpp; only with FlagAllEvents)
    NearCallee = 2, // up to 13, the n-th of them, n up to NearCallees: enters the n-th child (from 1, by id) of the
                    // innermost enter of the stream, of the root where nothing is entered (only with FlagAllEvents)
    AnyCallee = 14, // + LEB128 n: likewise; 0: that path once more
    Extended = 15,  // + one byte ExtendedKind + payload
};
inline constexpr unsigned NearCallees = 9;
constexpr unsigned kind_of_near_callee(unsigned n) { return n + n / 3 + 1; }
constexpr unsigned near_callee_of_kind(unsigned kind) { return kind - kind / 4 - 1; }
inline constexpr unsigned LeaveBits = 2, KindBits = 4; // of a head
inline constexpr unsigned MostUnitBits = 16;           // of SegmentHeader::flags

enum class ExtendedKind : std::uint8_t {
    Thread = 1,  // + LEB128 tid: another thread uses this record from here on; nothing is entered
    LeaveOf = 2, // + node id: the innermost enter of this node ends
    // A transfer ends. + one byte Direction | Span << 2 | 16 if it was begun by another thread, and LEB128 each: ticks
    // that it took, [index of that thread,] node id of the call path that began it (as it is, no difference), target,
    // bytes to or from each, id of the TypeRecord (0: not known), zigzag-coded tag (-1: has none)
    Message = 3,
    // A collective call ends. + LEB128 each: ticks that it took, node id of its call path, id of the GroupRecord of its
    // communicator (of the remote group for an intercommunicator), place of its root in the group + 1 (0: has none)
    Collective = 4,
    Enter = 5, // + node id
    // The first of a segment, with FlagRingBuffer or behind a gap in sequence. + LEB128 n and n node ids (no
    // differences): what is entered when the segment begins, outermost first. A reader that has read the segment before
    // knows that.
    Entered = 6,
};
inline constexpr std::size_t MaxEventBytes = 24;
inline constexpr std::size_t MaxMessageBytes = 72; // of an Extended Message or Collective

// Flags of an Extended Message, above direction and span.
inline constexpr unsigned MessageElsewhere = 16; // another thread began it
inline constexpr unsigned MessageUnseen =
    32; // the program never saw its end: how long ago that was taken to be comes first

} // namespace vftr::vfd
