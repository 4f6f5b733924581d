// SPDX-License-Identifier: BSD-3-Clause
//
// The flight recorder (sampling.keep_last): each thread keeps the latest part of its event stream in a ring buffer of
// segments, and its oldest segment becomes its next one.
//
// All kept segments stay mapped and are reused in place without a system call, so a file that has reached its size
// costs nothing more. A full disk does not end the stream: the oldest segment is then reused early, however small it
// is. As segments double in size, the ones that exist hold about half of what the disk had room for. While a segment is
// being reused, its kind is Free, so that a process that is killed just then leaves all others valid. A reader of a
// file that is being written copies a segment and checks whether it is still the same one (vfd/thread_view.cpp).
//
// A stream that begins in the middle begins with the thread's open entries (ExtendedKind::Entered), which each segment
// has at its beginning.
#pragma once

#include "record/hot/thread_state.hpp"

#include <cstddef>

namespace vftr::record {

bool uses_ring_buffer();
// Size of a segment, header included: a limit by bytes is divided into eight segments; a limit by time uses as many
// segments as it needs.
std::size_t bytes_of_ring_segment();

// Adds the thread's full segment to the ring.
void add_to_ring(ThreadState& state, vfd::SegmentHeader* full);
// Takes the oldest segment out of the ring, with the kind Free, if the ring would exceed its limit with `payload_bytes`
// more bytes. nullptr: it has to be kept, or is smaller than `payload_bytes`.
vfd::SegmentHeader* take_oldest_beyond_limit(ThreadState& state, std::size_t payload_bytes, std::uint64_t now);
// Releases the oldest segments beyond the limit, after a larger segment has replaced them. (Not before: where the disk
// has no room for a larger one, a single segment might be left, which would lose everything when it is reused.)
void release_oldest_beyond_limit(ThreadState& state, std::size_t payload_bytes, std::uint64_t now);
// Called where the file cannot grow: takes the oldest segment with room for `payload_bytes` and releases the older
// ones. nullptr: there is none, and all stay.
vfd::SegmentHeader* take_oldest_that_fits(ThreadState& state, std::size_t payload_bytes);

} // namespace vftr::record
