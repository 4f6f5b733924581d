// SPDX-License-Identifier: BSD-3-Clause
//
// Format (format.hpp): messages. A transfer is data that one MPI call moves between this rank and a target, which is
// another rank or each rank of a group. A collective over P ranks is one or two transfers to a group, not P transfers.
// Readers that need single messages expand it.
#pragma once

#include <cstdint>

namespace vftr::vfd {

enum class Direction : std::uint8_t {
    Send = 0,
    Receive = 1,
    Get = 2, // a receive from a rank that makes no call for it (one-sided)
};

enum class Span : std::uint8_t {
    Rank = 0, // the target is a rank
    // The target is the id of a GroupRecord: each of its members, including this rank if it is one.
    Group = 1,
    Others = 2, // as Group, but without this rank
};

// Ranks are those of MPI_COMM_WORLD, unless this bit is set: then the rank is one in the MPI_COMM_WORLD of another job
// (spawned, spawning or connected), as far as that is known, and else one in the remote group.
inline constexpr std::uint32_t ForeignRank = 0x80000000;

// Sums over all transfers of one kind that were begun on one call path.
struct Traffic {
    std::uint32_t thread; // ThreadRecord::index of the thread that began them
    // Id of the call path's node in that thread; the segment may be owned by another thread.
    std::uint32_t node;
    std::uint32_t target;
    Direction direction;
    Span span;
    std::uint16_t reserved;
    std::uint64_t transfers; // each is one message to or from each rank of the target
    std::uint64_t bytes;     // to or from each rank of the target, summed over the transfers
    // Sum of the durations. A send that has begun counts up to the end of the call that began it, until its own end is
    // seen.
    std::uint64_t ticks;
};
static_assert(sizeof(Traffic) == 40);

// The members of a communicator or window that take part in messages, in their order there (with mpi.only_for_ranks:
// only the ranks that it names). The record is followed by run_count GroupRuns. Ids count from 1, and equal groups
// share one record.
struct GroupRecord {
    std::uint32_t id;
    std::uint32_t run_count;
    std::uint64_t size; // ranks
};
// `count` ranks: first, first + stride, …
struct GroupRun {
    std::uint32_t first;
    std::int32_t stride;
    std::uint32_t count;
};
static_assert(sizeof(GroupRecord) == 16 && sizeof(GroupRun) == 12); // the next record starts at the next multiple of 8

// An MPI datatype of messages in the event stream. The record is followed by name_size bytes; the next record starts at
// the next multiple of 8.
struct TypeRecord {
    std::uint32_t id;        // from 1
    std::uint32_t name_size; // 0: a derived type without a name
    std::uint64_t size;      // bytes
};
static_assert(sizeof(TypeRecord) == 16);

} // namespace vftr::vfd
