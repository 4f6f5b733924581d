// SPDX-License-Identifier: BSD-3-Clause
//
// Format (format.hpp): messages. A transfer is data that one MPI call moves between this rank and a target: another
// rank, or each rank of a group. A collective over P ranks is one or two transfers to a group, not P; readers take it
// apart where they want single messages.
#pragma once

#include <cstdint>

namespace vftr::vfd {

enum class Direction : std::uint8_t {
    Send = 0,
    Receive = 1,
    Get = 2, // a receive from a rank that does not call anything for it (one-sided)
};

enum class Span : std::uint8_t {
    Rank = 0,   // target is a rank
    Group = 1,  // target is a GroupRecord's id: to or from each of its members, the own rank included where it is one
    Others = 2, // likewise without the own rank
};

// Ranks are those of MPI_COMM_WORLD. With this bit: of the MPI_COMM_WORLD of another job (spawned, spawning,
// connected), as far as that is known, else of the remote group.
inline constexpr std::uint32_t ForeignRank = 0x80000000;

// All transfers of one kind that were begun on one call path.
struct Traffic {
    std::uint32_t thread; // ThreadRecord::index and
    std::uint32_t node;   // node id of the call path that began them; the segment may be another thread's
    std::uint32_t target;
    Direction direction;
    Span span;
    std::uint16_t reserved;
    std::uint64_t transfers; // each is one message to or from each rank of the target
    std::uint64_t bytes;     // to or from each rank of the target, added up over the transfers
    std::uint64_t ticks; // from begin to end, added up; of a send that has begun up to the end of that call, until its
                         // end is seen
};
static_assert(sizeof(Traffic) == 40);

// Members of a communicator or window that take part in messages (with mpi.only_for_ranks: those that it names), in
// their order there. Followed by run_count GroupRun. Ids count from 1; equal groups have one record.
struct GroupRecord {
    std::uint32_t id;
    std::uint32_t run_count;
    std::uint64_t size; // ranks
};
// count ranks: first, first + stride, …
struct GroupRun {
    std::uint32_t first;
    std::int32_t stride;
    std::uint32_t count;
};
static_assert(sizeof(GroupRecord) == 16 && sizeof(GroupRun) == 12); // the next record starts at the next multiple of 8

// An MPI datatype that messages of the event stream have. Followed by name_size bytes; the next record starts at the
// next multiple of 8.
struct TypeRecord {
    std::uint32_t id;        // from 1
    std::uint32_t name_size; // 0: a derived type without a name
    std::uint64_t size;      // bytes
};
static_assert(sizeof(TypeRecord) == 16);

} // namespace vftr::vfd
