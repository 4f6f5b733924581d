// SPDX-License-Identifier: BSD-3-Clause
//
// Walks over a file: reads its header page, checks it, and finds its segments.
#pragma once

#include "vfd/source.hpp"

#include <vector>

namespace vftr::vfd {

// Returns a checked copy, which a running writer cannot change; its strings are 0-terminated. Throws Error if `header`
// is not that of a vfd file which this reader supports.
FileHeader checked_header(const FileHeader& header, const Source& source);

// Where the payload of a segment lies.
struct Extent {
    std::uint64_t offset; // from the beginning of the segment's header
    std::uint64_t used;
};
// Returns the payload of a segment with `room` bytes of the file from its header on. Throws Error if the segment
// reaches beyond the file or uses more than its size.
Extent checked_extent(const SegmentHeader& s, std::uint64_t room, const FileHeader& header, const Source& source);

// Returns the next offset at which a segment may begin, given that none begins at `at`.
std::uint64_t next_segment_offset(std::uint64_t at, const FileHeader& header, const FileData& data);

// Returns all segments in the order of the file, including those of the kind Free and of unknown kinds. Pages without a
// segment are skipped. Throws Error if a segment reaches beyond the file or uses more than its size.
std::vector<Segment> find_segments(const FileHeader& header, const Source& source);

// Reads a word that its writer may be publishing at this moment.
template <class T>
T published(const T& word) {
    T now;
    __atomic_load(&word, &now, __ATOMIC_ACQUIRE);
    return now;
}

// A segment of a running recording may become Free, or be reused, at any moment.
inline SegmentKind kind_of(const SegmentHeader& segment) { return published(segment.kind); }

} // namespace vftr::vfd
