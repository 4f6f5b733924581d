// SPDX-License-Identifier: BSD-3-Clause
//
// The walk over a file: its header page, checked, and its segments.
#pragma once

#include "vfd/source.hpp"

#include <vector>

namespace vftr::vfd {

// A copy, so that a writer that lives cannot change what has been checked; its strings end with a
// zero. Throws Error if `header` is not that of a vfd file this reader knows.
FileHeader checked_header(const FileHeader& header, const Source& source);

// Where the payload of a segment lies.
struct Extent {
    std::uint64_t offset; // from the segment's header
    std::uint64_t used;
};
// Of a segment with `room` bytes of file from its header on. Throws Error for one that reaches beyond the file or holds
// more than its size.
Extent checked_extent(const SegmentHeader& s, std::uint64_t room, const FileHeader& header, const Source& source);

// Where the next segment of a file may begin, if none begins at `at`.
std::uint64_t next_place(std::uint64_t at, const FileHeader& header, const FileData& data);

// All segments in the order of the file. Pages without a segment are skipped; Free and unknown
// kinds are listed too. Throws Error for a segment that reaches beyond the file or holds more than
// its size.
std::vector<Segment> find_segments(const FileHeader& header, const Source& source);

// Reads a word that its writer may be publishing now.
template <class T>
T published(const T& word) {
    T now;
    __atomic_load(&word, &now, __ATOMIC_ACQUIRE);
    return now;
}

// A segment of a live recording may become Free, or be used again, at any moment.
inline SegmentKind kind_of(const SegmentHeader& segment) { return published(segment.kind); }

} // namespace vftr::vfd
