// SPDX-License-Identifier: BSD-3-Clause
//
// A thread of the library that compresses full segments of event streams (sampling.compress).
//
// Why it is a thread: compressing takes three to ten times as long per byte as recording. Why it is off by default: the
// program then has one more thread, which takes part of a core.
//
// own_thread.hpp tells why it does no harm.
//
// A crash at any moment leaves each segment valid once. The packed segment has the sequence number of the plain one and
// replaces it as soon as its number of used bytes is stored, which happens when all of them are written. The space of
// the plain one in the file is then reused for the next segment, so the file grows only by the packed bytes. Where this
// thread is slower than the program, segments stay unpacked.
#pragma once

#include "record/threads/own_thread.hpp"
#include "vfd/format.hpp"

#include <cstddef>

namespace vftr::record {

// Segments that are to be packed are no larger than this.
inline constexpr std::size_t PackedAtOnce = 1 << 20;

// Called by the session, which may use malloc, once per process. create: the C library's pthread_create. False: there
// is no libzstd, or no thread could be created.
bool begin_packing(CreateThread* create);
// Hands over a full segment of the calling thread, which does not use it again. False: the segment was not accepted.
// Never blocks.
bool hand_to_packing(vfd::SegmentHeader* segment);
// A segment of the kind Free with at least `payload_bytes` bytes of payload, whose former contents have been packed.
// nullptr: there is none.
vfd::SegmentHeader* take_spare_segment(std::size_t payload_bytes);
// Packs the segments that wait, for a second at most, and ends the thread.
void end_packing();

} // namespace vftr::record
