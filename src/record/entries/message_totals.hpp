// SPDX-License-Identifier: BSD-3-Clause
//
// Messages: what event sources report to the recorder about data that moves between ranks.
//
// Why messages are added up at once: a run over days sends more messages than a disk can hold, and a collective call
// over P ranks is P messages for each rank. So each message is added to one Traffic record (format.hpp) of its call
// path and target, for the cost of a hash and four additions. A group of ranks counts as one target; an analysis that
// needs single messages expands it later. Only the event stream (sampling.active) keeps each transfer separately, with
// one record for a whole group as well.
//
// A send that ends later is counted when it begins: its bytes are known then, and the program may never ask for its
// end. The time that it took after the call that began it is added where its end is seen. A receive is counted when it
// ends, as its status tells what was received.
//
// The table belongs to the calling thread and lies in the file: there is no lock, and nothing is lost when the process
// dies. Another thread may have begun a message (MPI_Isend here, MPI_Wait there); the message names the call path to
// which it belongs.
#pragma once

#include "record/entries/call_instance.hpp"
#include "vfd/format.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace vftr::record {

// Which part of a transfer is reported.
enum class Stage : std::uint8_t {
    Whole, // all of it: the transfer has begun and ended
    // The transfer is counted, with the time up to `end`. One of the following stages is still to come, if its end is
    // ever known.
    Begun,
    Ended, // the end of a transfer that was reported as Begun
    // A transfer that was reported as Begun and whose end nobody will see: for the event stream it ends with the call
    // that began it.
    Unseen,
    // A transfer that was reported as Begun and then cancelled: it is not counted any more.
    Withdrawn,
};

struct Transfer {
    CallInstance place;   // the call path that began it; `enter` is the begin of the transfer
    std::uint64_t end;    // ticks
    std::uint32_t target; // rank, or id of a group, see format.hpp
    vfd::Direction direction;
    vfd::Span span;
    std::int32_t tag;    // -1: there is none
    std::uint32_t type;  // id from intern_type; 0: not known
    std::uint64_t bytes; // to or from each rank of the target
    Stage stage = Stage::Whole;
    std::uint64_t counted_to = 0; // Ended, Unseen and Withdrawn: `end` when it was counted
    // Of a message between two ranks, for the event stream: the number of its communicator; 0 for MPI_COMM_WORLD.
    std::uint32_t communicator = 0;
};

// A message that a blocking probe has found.
struct Probe {
    CallInstance place; // the probe
    std::uint64_t end;  // ticks
    std::uint32_t sender, communicator;
    std::int32_t tag;
    std::uint64_t bytes;
    bool takes; // only the handle that the probe gives can receive the message (MPI_Mprobe)
};

// All three are called by a recorded thread, and ignored while it is off or paused. They use no malloc and no lock, and
// need a system call only where a table grows.
void record_transfer(const Transfer& transfer);

// The same for messages between two ranks in as few instructions as they need, where only the sums are wanted, no event
// stream and no callback. Otherwise the last two return false, have done nothing, and record_transfer is to be called.
//
// A send that the innermost call of this thread (innermost_call) has begun: Stage::Begun. Returns that call.
CallInstance count_begun(std::uint64_t end, std::uint32_t target, std::uint64_t bytes);
// The end of a send that was counted like that: Stage::Ended.
bool count_ended(CallInstance place, std::uint64_t counted_to, std::uint64_t end, std::uint32_t target);
// A receive: Stage::Whole.
bool count_received(CallInstance place, std::uint64_t end, std::uint32_t target, std::uint64_t bytes);

// The end of a collective call of the communicator whose members are `group`. root: index of the root in the group, -1
// if there is none. It goes to the event stream only, and so does a probe.
void record_collective(const CallInstance& place, std::uint64_t end, std::uint32_t group, std::int32_t root,
                       std::uint32_t communicator);
void record_probe(const Probe& probe);

// Whether transfers also go to the event stream (types then need ids).
bool messages_are_streamed();

// The id of a group of ranks (bit ForeignRank as in format.hpp), and of a type. Equal contents have equal ids for the
// life of the process. Both take a lock; they return 0 when nothing is recorded or there is no memory. They are meant
// for the first use of a communicator or type, not for every message.
std::uint32_t intern_group(std::span<const std::uint32_t> ranks);
std::uint32_t intern_type(std::string_view name, std::uint64_t size);

} // namespace vftr::record
