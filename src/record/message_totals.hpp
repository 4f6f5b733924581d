// SPDX-License-Identifier: BSD-3-Clause
//
// Messages: what event sources tell the recorder of data that moves between ranks.
//
// Why added up at once. A run over days sends more messages than a disk holds, and a collective
// call over P ranks is P messages for each of them. So each message is added to one Traffic record
// (format.hpp) of its call path and target: a hash and four additions. A group of ranks counts as
// one target; who wants single messages takes it apart later. Only the event stream
// (sampling.active) keeps each transfer by itself, one record for a whole group too.
//
// A send that ends later is counted when it begins: its bytes are known then, and the program may never ask for its
// end. What it took after the call that began it is added where its end is seen. A receive is counted when it ends, as
// its status tells what came.
//
// The table belongs to the calling thread and lies in the file: no lock, and nothing is lost when
// the process dies. A message may have been begun by another thread (MPI_Isend here, MPI_Wait
// there): it says whose call path it belongs to.
#pragma once

#include "record/call_place.hpp"
#include "vfd/format.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace vftr::record {

// How much of a transfer a record is.
enum class Stage : std::uint8_t {
    Whole,  // all of it: it has begun and ended
    Begun,  // it is counted, with the time up to `end`; one of those that follow is still to come, if its end is ever
            // known
    Ended,  // it was counted as begun
    Unseen, // likewise, and nobody will see its end: for the event stream it ended where the call that began it did
    Withdrawn, // likewise, but it was cancelled: it is not counted any more
};

struct Transfer {
    CallPlace place;      // where it was begun; `enter` is the begin
    std::uint64_t end;    // ticks
    std::uint32_t target; // rank or id of a group, see format.hpp
    vfd::Direction direction;
    vfd::Span span;
    std::int32_t tag;    // -1: none
    std::uint32_t type;  // id from intern_type, 0: not known
    std::uint64_t bytes; // to or from each rank of the target
    Stage stage = Stage::Whole;
    std::uint64_t counted_to = 0; // Ended, Unseen and Withdrawn: `end` when it was counted
};

// Both by a thread that records; ignored while it is off or paused. No malloc, no lock; a system
// call where a table grows.
void record_transfer(const Transfer& transfer);
// The end of a collective call of the communicator whose members are `group`; root: place in the
// group, -1 without. Goes into the event stream only.
void record_collective(const CallPlace& place, std::uint64_t end, std::uint32_t group, std::int32_t root);

// Whether transfers go into the event stream too (then types need ids).
bool messages_are_streamed();

// The id of a group of ranks (bit ForeignRank as in format.hpp), of a type. Equal contents, equal
// id, for the life of the process. Take a lock; 0 when nothing is recorded or there is no memory.
// For the first use of a communicator or type, not for every message.
std::uint32_t intern_group(std::span<const std::uint32_t> ranks);
std::uint32_t intern_type(std::string_view name, std::uint64_t size);

} // namespace vftr::record
