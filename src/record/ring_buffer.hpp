// SPDX-License-Identifier: BSD-3-Clause
//
// The flight recorder (sampling.keep_last): each thread keeps the latest part of its event stream, and its oldest
// segment becomes its next one.
//
// All kept segments stay mapped and are used again in place, without a system call, so a file that has grown to its
// size costs nothing more, and a full disk is no end: then the oldest one goes early, and those that there are do,
// however small: as they double in size, they are about half of what the disk had room for. While a segment is made new
// its kind is Free: a process that is killed just then leaves all others. A reader of a file that is being written
// copies a segment and looks whether it is still the same one (vfd/thread_view.cpp).
//
// A stream that begins in the middle begins with what the thread is in (ExtendedKind::Entered), which each segment has
// at its beginning.
#pragma once

#include "record/thread_state.hpp"

#include <cstddef>

namespace vftr::record {

bool uses_ring_buffer();
// Of segments, header included: a limit of bytes is eight of them, a time as many as it takes.
std::size_t bytes_of_ring_segment();

// The thread's full segment.
void add_to_ring(ThreadState& state, vfd::SegmentHeader* full);
// The oldest one, of the kind Free, if with so many bytes more than is asked for would be kept. nullptr: it is kept, or
// smaller than that.
vfd::SegmentHeader* take_oldest_beyond_limit(ThreadState& state, std::size_t payload_bytes, std::uint64_t now);
// A larger one has come in place of smaller ones. (Not before: where the disk has no larger one, a single one might be
// left, and it forgets all when it begins again.)
void release_oldest_beyond_limit(ThreadState& state, std::size_t payload_bytes, std::uint64_t now);
// Where the file cannot grow: the oldest one that has so many bytes, and older ones are released. nullptr: there is
// none, and all stay.
vfd::SegmentHeader* take_oldest_that_fits(ThreadState& state, std::size_t payload_bytes);

} // namespace vftr::record
