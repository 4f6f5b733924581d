// SPDX-License-Identifier: BSD-3-Clause
//
// The events of all threads of one process, in the order of time.
//
// The call trees of the threads are merged as in a profile. A call path has the stack id (STID) that `vftr report`
// shows for this file (breadth first, callees by name) or, where a numbering is given, the one that the numbering gives
// it. So a line of a dump can be looked up in a table. The events stay in the file and are decoded while they are
// visited, as a recording may be larger than memory.
//
// Messages are visited where they begin (event_order.hpp); at most MostAhead of all threads together are kept in
// memory.
#pragma once

#include "analysis/merge/numbering.hpp"
#include "analysis/profile/profile.hpp"
#include "vfd/image.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace vftr::analysis {

// One enter or leave event of the stream.
struct Sample {
    double seconds;       // since the start of the recording
    std::uint32_t stack;  // the call path that was entered or left: index into the nodes of Timeline::stacks()
    std::uint32_t thread; // index into Timeline::threads()
    bool enter;
};

// One transfer: a message to or from each rank of its target.
struct Message {
    double begin, end;    // seconds since the start of the recording
    std::uint32_t stack;  // the call path that began it: index into the nodes of Timeline::stacks()
    std::uint32_t thread; // TimelineThread::index of that path's thread
    vfd::Direction direction;
    vfd::Span span;
    std::uint32_t target;       // see vfd/format.hpp
    std::uint64_t bytes;        // to or from each peer
    std::uint32_t type;         // id for vfd::Image::type(), 0: not known
    std::int32_t tag;           // -1: none
    std::uint32_t communicator; // see vfd/format_events.hpp; 0: MPI_COMM_WORLD, or not known
};

struct TimelineThread {
    std::uint32_t index;            // as in the file
    std::uint32_t tid;              // the kernel's id of the latest thread that used this record
    std::uint32_t reused;           // how many threads used the record before that one
    double begin, end;              // seconds; `end` of a running thread is the latest moment known
    std::uint64_t samples;          // in the stream
    std::uint64_t transfers;        // in the stream
    std::uint64_t longest_transfer; // ticks
    bool complete;                  // whether its event stream could be decoded to the end
};

// The Image must outlive it. Any thread may read it.
class Timeline {
public:
    // Decodes all events once, to count them. Throws vfd::Error.
    explicit Timeline(const vfd::Image& image, const Numbering& shared = {});

    // stacks().stid(index) is the id of the call path stacks().nodes[index].
    const Profile& stacks() const { return stacks_; }
    const std::vector<TimelineThread>& threads() const { return threads_; }
    std::uint64_t sample_count() const;
    // A transfer to a group counts once for each of its members.
    std::uint64_t message_count() const { return messages_; }
    // Seconds of the last sample of all; 0 if there is none.
    double last_sample() const { return last_sample_; }
    double seconds_of(std::uint64_t ticks) const;
    // The index into the nodes of stacks() for a node of the thread with that ThreadRecord::index; the root where a
    // damaged file has no such node.
    std::uint32_t stack_of(std::uint32_t thread, std::uint32_t node) const;

    // Calls `visit` for every sample, and `visit_message` for every transfer at its begin, oldest first. Events of the
    // same time come in the order of threads, and for one thread samples come before transfers.
    void for_each_sample(const std::function<void(const Sample&)>& visit,
                         const std::function<void(const Message&)>& visit_message = {}) const;
    // Calls `visit` for each rank that the messages of a transfer go to or come from.
    void for_each_peer(const Message& message, const std::function<void(std::uint32_t)>& visit) const;

private:
    std::uint64_t peers(vfd::Span span, std::uint32_t target) const;
    Message message_of(const vfd::Event& event) const;
    void add_thread(const vfd::ThreadView& view);

    const vfd::Image& image_;
    Profile stacks_;
    std::vector<std::vector<std::uint32_t>> stack_of_; // by thread and node
    // By thread and node: whether events of the node are left out, as they are no samples.
    std::vector<std::vector<bool>> left_out_;
    std::vector<TimelineThread> threads_;
    std::uint64_t messages_ = 0;
    double last_sample_ = 0;
};

} // namespace vftr::analysis
