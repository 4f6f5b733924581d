// SPDX-License-Identifier: BSD-3-Clause
//
// The flight recorder (sampling.keep_last): each thread keeps the latest part of its event stream, and its oldest segment becomes its next one.
//
// All kept segments stay mapped and are used again in place, without a system call, so a file that has grown to its size costs nothing more, and a
// full disk is no end: then the oldest one goes early. While a segment is made new its kind is Free: a process that is killed just then
// leaves all others. A reader of a file that is being written copies a segment and looks whether it is still the same one (vfd/threads.cpp).
//
// A stream that begins in the middle begins with what the thread is in (ExtendedKind::Entered), which each segment has at its beginning.
#pragma once

#include "record/thread_state.hpp"

#include <cstddef>

namespace vftr::record {

bool keeps_latest();
// Of segments, header included: a limit of bytes is eight of them, a time as many as it takes.
std::size_t bytes_of_kept_segment();

// The thread's full segment.
void keep(ThreadState& state, vfd::SegmentHeader* full);
// Whether what is kept, with another segment of so many bytes, is more than is asked for without the oldest one.
bool oldest_is_not_kept(const ThreadState& state, std::size_t payload_bytes, std::uint64_t now);
// The oldest one that has so many bytes, of the kind Free; older ones that are smaller are released. nullptr: there is none.
vfd::SegmentHeader* take_oldest(ThreadState& state, std::size_t payload_bytes);

} // namespace vftr::record
