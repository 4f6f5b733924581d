// SPDX-License-Identifier: BSD-3-Clause
//
// A thread of ours that compresses full segments of event streams (sampling.compress).
//
// Why a thread: compressing takes three to ten times as long per byte as recording. And why it is off unless asked for:
// the program then has a thread more, which some system calls refuse to work with and which takes part of a core.
//
// What it cannot do harm to. All its signals are blocked, so none of the program's handlers runs on it. It is created
// by the C library's own pthread_create, and its guard is held for good: it is not recorded, whatever instrumented code
// (an allocator) it comes to. A forked child does not have it; what it knows lies in memory that is wiped there, and
// the child's recording begins one of its own. exec and _exit may end it anywhere.
//
// A crash at any moment leaves each segment once. The packed one has the number of the plain one; it counts, before
// that, as soon as it says how many bytes it has, which is when they are all there. The plain one's place in the file
// is then used for the next segment, so the file grows by what is packed. Where this thread is slower than the program,
// segments stay as they are.
#pragma once

#include "vfd/format.hpp"

#include <cstddef>
#include <pthread.h>

namespace vftr::record {

// Segments are no larger than this while they are to be packed.
inline constexpr std::size_t PackedAtOnce = 1 << 20;

// By the session, which has malloc, once per process. create: the C library's pthread_create. False: there is no
// libzstd, or no thread.
using CreateThread = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
bool begin_packing(CreateThread* create);
// The calling thread's full segment, which it does not look at again. False: nobody wants it. Never blocks.
bool hand_to_packing(vfd::SegmentHeader* segment);
// A segment of at least so many bytes of payload that has been packed, of the kind Free. nullptr: there is none.
vfd::SegmentHeader* take_spare_segment(std::size_t payload_bytes);
// Packs what waits, for a second at most, and ends the thread.
void end_packing();

} // namespace vftr::record
