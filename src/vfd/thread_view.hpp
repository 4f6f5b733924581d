// SPDX-License-Identifier: BSD-3-Clause
//
// Assembles the parts of each thread: its record, call tree, shadow stack and event segments.
#pragma once

#include "vfd/source.hpp"

#include <deque>
#include <vector>

namespace vftr::vfd {

// Holds copies of data that a running thread may change while it is read, and of data that the file holds in another
// form. The copies keep their addresses.
struct ThreadCopies {
    std::deque<ThreadRecord> records;
    std::deque<std::vector<Frame>> stacks;
    std::deque<SegmentHeader> headers; // of event segments
    std::deque<std::vector<std::byte>> payloads;
    // Call trees and estimates that are columns in the file.
    std::deque<std::vector<Node>> trees;
    std::deque<std::vector<Estimate>> estimates;
    bool events_changed = false; // an event segment was reused while it was read, and is left out
};

// Returns views of all threads in order of their index. A thread whose record is not complete yet is left out, and so
// are segments without a thread. Counts are limited to what is present. Throws Error if a call path does not come after
// its caller, or if two threads have the same index. `events` says how to treat segments of events.
enum class Events {
    Viewed, // refer to them; they only grow
    // Copy them, because they may be reused meanwhile (FlagRingBuffer, FlagPacked). A segment that is reused during the
    // copy is left out.
    Copied,
    LeftOut,
};
std::vector<ThreadView> assemble_threads(const std::vector<Segment>& segments, const Source& source,
                                         ThreadCopies& copies, Events events = Events::Viewed);

} // namespace vftr::vfd
