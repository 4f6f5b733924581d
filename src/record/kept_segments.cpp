// SPDX-License-Identifier: BSD-3-Clause
#include "record/kept_segments.hpp"

#include "record/recorder.hpp"

#include <algorithm>

namespace vftr::record {

namespace {

using vfd::SegmentHeader;

constexpr std::size_t Pieces = 8, SmallestPiece = 64 * 1024, LargestPieceOfTime = 1 << 20;

SegmentHeader* newer(const SegmentHeader* segment) { return reinterpret_cast<SegmentHeader*>(segment->writer_private[1]); }

} // namespace

bool keeps_latest() { return recorder.settings.keep_bytes != 0 || recorder.settings.keep_seconds > 0; }

std::size_t bytes_of_kept_segment() {
    const std::uint64_t bytes = recorder.settings.keep_bytes;
    return bytes != 0 ? std::max<std::size_t>(bytes / Pieces, SmallestPiece) : LargestPieceOfTime;
}

void keep(ThreadState& state, SegmentHeader* full) {
    KeptSegments& kept = state.kept;
    full->writer_private[1] = 0;
    if (kept.newest)
        kept.newest->writer_private[1] = reinterpret_cast<std::uint64_t>(full);
    else
        kept.oldest = full;
    kept.newest = full;
    kept.bytes += full->capacity;
}

namespace {

// Whether what is kept, with another segment of so many bytes, is more than is asked for without the oldest one.
bool oldest_is_not_kept(const ThreadState& state, std::size_t payload_bytes, std::uint64_t now) {
    const KeptSegments& kept = state.kept;
    if (!kept.oldest)
        return false;
    if (recorder.settings.keep_bytes != 0)
        return kept.bytes + payload_bytes + sizeof(SegmentHeader) > recorder.settings.keep_bytes;
    const std::uint64_t ticks = recorder.keep_ticks.load(std::memory_order_relaxed);
    const SegmentHeader* next = newer(kept.oldest); // where the oldest one ends
    return ticks != 0 && next && now > next->arg0 && now - next->arg0 > ticks;
}

bool has_room(const SegmentHeader* segment, std::size_t payload_bytes) { return segment->capacity >= payload_bytes + sizeof *segment; }

// Of the kind Free.
SegmentHeader* take_oldest(ThreadState& state) {
    KeptSegments& kept = state.kept;
    SegmentHeader* oldest = kept.oldest;
    kept.oldest = newer(oldest);
    kept.newest = kept.oldest ? kept.newest : nullptr;
    kept.bytes -= oldest->capacity;
    vfd::Writer::discard(oldest);
    return oldest;
}

bool one_has_room(const ThreadState& state, std::size_t payload_bytes) {
    const SegmentHeader* segment = state.kept.oldest;
    while (segment && !has_room(segment, payload_bytes))
        segment = newer(segment);
    return segment;
}

} // namespace

SegmentHeader* take_what_is_not_kept(ThreadState& state, std::size_t payload_bytes, std::uint64_t now) {
    const bool fits = oldest_is_not_kept(state, payload_bytes, now) && has_room(state.kept.oldest, payload_bytes);
    return fits ? take_oldest(state) : nullptr;
}

void release_what_is_not_kept(ThreadState& state, std::size_t payload_bytes, std::uint64_t now) {
    const bool all = recorder.settings.keep_bytes != 0; // else large ones are of use again
    while (oldest_is_not_kept(state, payload_bytes, now) && (all || !has_room(state.kept.oldest, payload_bytes)))
        recorder.writer.release(take_oldest(state));
}

SegmentHeader* take_what_there_is(ThreadState& state, std::size_t payload_bytes) {
    if (!one_has_room(state, payload_bytes))
        return nullptr;
    while (!has_room(state.kept.oldest, payload_bytes))
        recorder.writer.release(take_oldest(state));
    return take_oldest(state);
}

} // namespace vftr::record
