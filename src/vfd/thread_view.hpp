// SPDX-License-Identifier: BSD-3-Clause
//
// Puts together what belongs to one thread: its record, call tree, shadow stack and event segments.
#pragma once

#include "vfd/source.hpp"

#include <deque>
#include <vector>

namespace vftr::vfd {

// Copies of what a living thread changes under our eyes, and of what a file has in another form; their places do not
// move.
struct ThreadCopies {
    std::deque<ThreadRecord> records;
    std::deque<std::vector<Frame>> stacks;
    std::deque<SegmentHeader> headers; // of events,
    std::deque<std::vector<std::byte>> payloads;
    std::deque<std::vector<Node>> trees; // that are columns in the file, as are
    std::deque<std::vector<Estimate>> estimates;
    bool events_changed = false; // one was used again while we looked at it, and is left out
};

// Views of all threads, by index. A thread whose record was not complete yet is left out, and so is
// what no thread owns. Counts are limited to what is there. Throws Error where a call path does not
// follow its caller, or two threads have one index. Events: what is done about segments of events.
enum class Events {
    Viewed, // they only grow
    Copied, // they are used again while we look (FlagRingBuffer, FlagPacked): those that are not just then
    LeftOut,
};
std::vector<ThreadView> assemble_threads(const std::vector<Segment>& segments, const Source& source,
                                         ThreadCopies& copies, Events events = Events::Viewed);

} // namespace vftr::vfd
