// SPDX-License-Identifier: BSD-3-Clause
//
// What a timeline consists of, as whoever writes or draws it gets to see it.
//
// A visitor is called for one thread after another, and for each in the order of time. Calls of a thread nest: what is
// left is the innermost call that is open. Times are nanoseconds since the start of the run, on the clock of rank 0's
// machine, and never negative.
#pragma once

#include "vfd/format.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace vftr::vfd {
struct GroupView;
}

namespace vftr::analysis {

// A transfer that a thread began: a message to or from one rank, or to or from each of a group.
struct TimelineMessage {
    std::uint64_t begin, end; // ns. The end may be after later events
    std::uint32_t path;       // that began it: index into RunTimeline::paths().nodes
    vfd::Direction direction;
    std::uint32_t peer;          // rank in MPI_COMM_WORLD; of a transfer with a group 0
    const vfd::GroupView* group; // nullptr: it is with `peer` alone
    bool with_itself;            // whether the rank itself counts as a member of the group
    std::uint64_t bytes;         // to or from each peer
    std::uint32_t type;          // id for vfd::Image::type(), 0: not known
    std::int32_t tag;            // -1: a part of a collective or one-sided call
    std::uint32_t communicator;  // its number, equal on all members; 0: MPI_COMM_WORLD, or not known
    // Equal for a send and its receive, and for hardly any other pair of messages of the job; 0: there is no partner,
    // as it is a part of a collective or one-sided call. The n-th send of a channel (communicator, sender, receiver,
    // tag and size) belongs to its n-th receive, in the order of their begins (wait_states.hpp). Where several threads
    // of one process use one channel at the same time, their messages may be confused.
    std::uint64_t pair;
};

// A collective MPI call, as its end shows it.
struct TimelineCollective {
    std::uint64_t begin, end; // ns
    std::uint32_t path;
    const vfd::GroupView* group; // of its communicator, of an intercommunicator the other side; nullptr: not known
    std::uint32_t communicator;  // its number, as above
    std::int64_t root;           // index into the group, -1: none
    // Equal for the calls of all members of a communicator that belong together, and for hardly any other; 0: not
    // known. It is the n-th call of its function on the communicator, whatever part of the calls is selected.
    std::uint64_t meeting;
};

class TimelineVisitor {
public:
    virtual ~TimelineVisitor() = default;

    // `path` is an index into RunTimeline::paths().nodes. The first call of a thread is its root, "init".
    virtual void enter(std::uint64_t ns, std::uint32_t path) = 0;
    virtual void leave(std::uint64_t ns, std::uint32_t path) = 0;
    // Called where it begins, so in the order of begins.
    virtual void message(const TimelineMessage&) {}
    // Called where it ends.
    virtual void collective(const TimelineCollective&) {}
    // The last call of each thread. `open` are the calls that have not ended, outermost first: none where the process
    // ended in an orderly way. By default they end now.
    virtual void still_open(std::uint64_t ns, std::span<const std::uint32_t> open) {
        for (std::size_t i = open.size(); i-- > 0;)
            leave(ns, open[i]);
    }
};

} // namespace vftr::analysis
