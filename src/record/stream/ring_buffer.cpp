// SPDX-License-Identifier: BSD-3-Clause
#include "record/stream/ring_buffer.hpp"

#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"

#include <algorithm>

namespace vftr::record {

namespace {

using vfd::SegmentHeader;

constexpr std::size_t Pieces = 8, SmallestPiece = 64 * 1024, LargestPieceOfTime = 1 << 20;

SegmentHeader* newer(const SegmentHeader* segment) {
    return reinterpret_cast<SegmentHeader*>(segment->writer_private[1]);
}

} // namespace

bool uses_ring_buffer() { return recorder.settings.keep_bytes != 0 || recorder.settings.keep_seconds > 0; }

std::size_t bytes_of_ring_segment() {
    const std::uint64_t bytes = recorder.settings.keep_bytes;
    return bytes != 0 ? std::max<std::size_t>(bytes / Pieces, SmallestPiece) : LargestPieceOfTime;
}

void add_to_ring(ThreadState& state, SegmentHeader* full) {
    SegmentRing& ring = state.ring;
    full->writer_private[1] = 0;
    if (ring.newest)
        ring.newest->writer_private[1] = reinterpret_cast<std::uint64_t>(full);
    else
        ring.oldest = full;
    ring.newest = full;
    ring.bytes += full->capacity;
}

namespace {

// Whether the ring together with another segment of `payload_bytes` holds more than the limit even without the oldest
// segment.
bool oldest_is_beyond_limit(const ThreadState& state, std::size_t payload_bytes, std::uint64_t now) {
    const SegmentRing& ring = state.ring;
    if (!ring.oldest)
        return false;
    if (recorder.settings.keep_bytes != 0)
        return ring.bytes + payload_bytes + sizeof(SegmentHeader) > recorder.settings.keep_bytes;
    const std::uint64_t ticks = recorder.keep_ticks.load(std::memory_order_relaxed);
    const SegmentHeader* next = newer(ring.oldest); // its begin is the end of the oldest one
    return ticks != 0 && next && now > next->arg0 && now - next->arg0 > ticks;
}

bool has_room(const SegmentHeader* segment, std::size_t payload_bytes) {
    return segment->capacity >= payload_bytes + sizeof *segment;
}

// The result has the kind Free.
SegmentHeader* take_oldest(ThreadState& state) {
    SegmentRing& ring = state.ring;
    SegmentHeader* oldest = ring.oldest;
    ring.oldest = newer(oldest);
    ring.newest = ring.oldest ? ring.newest : nullptr;
    ring.bytes -= oldest->capacity;
    vfd::Writer::discard(oldest);
    return oldest;
}

bool one_has_room(const ThreadState& state, std::size_t payload_bytes) {
    const SegmentHeader* segment = state.ring.oldest;
    while (segment && !has_room(segment, payload_bytes))
        segment = newer(segment);
    return segment;
}

} // namespace

SegmentHeader* take_oldest_beyond_limit(ThreadState& state, std::size_t payload_bytes, std::uint64_t now) {
    const bool fits = oldest_is_beyond_limit(state, payload_bytes, now) && has_room(state.ring.oldest, payload_bytes);
    return fits ? take_oldest(state) : nullptr;
}

void release_oldest_beyond_limit(ThreadState& state, std::size_t payload_bytes, std::uint64_t now) {
    // With a limit by time, large segments can be reused.
    const bool all = recorder.settings.keep_bytes != 0;
    while (oldest_is_beyond_limit(state, payload_bytes, now) && (all || !has_room(state.ring.oldest, payload_bytes)))
        recorder.writer.release(take_oldest(state));
}

SegmentHeader* take_oldest_that_fits(ThreadState& state, std::size_t payload_bytes) {
    if (!one_has_room(state, payload_bytes))
        return nullptr;
    while (!has_room(state.ring.oldest, payload_bytes))
        recorder.writer.release(take_oldest(state));
    return take_oldest(state);
}

} // namespace vftr::record
