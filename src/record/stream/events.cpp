// SPDX-License-Identifier: BSD-3-Clause
#include "record/stream/events.hpp"

#include "base/clock.hpp"
#include "base/memory.hpp"
#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"
#include "record/stream/packing.hpp"
#include "record/stream/ring_buffer.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace vftr::record {

namespace {
constexpr std::size_t FirstSegmentBytes = 65536;

// Ticks that a reading of the clock takes. Several readings are made in a row, as processors read the clock ahead of
// time; the least of some such rows counts.
std::uint64_t cost_of_clock() {
    constexpr unsigned Rows = 8, Readings = 16;
    std::uint64_t least = ~std::uint64_t{0};
    for (unsigned row = 0; row < Rows; ++row) {
        std::uint64_t begin = base::read_ticks(), end = begin;
        for (unsigned i = 0; i < Readings; ++i)
            end = base::read_ticks();
        least = std::min(least, end > begin ? (end - begin) / Readings : least);
    }
    return least;
}

// Ends the stream. The profile continues, without the slow path at every event.
bool end_stream(ThreadState& state) {
    if (state.stream & StreamFile && recorder.phase.load(std::memory_order_relaxed) != Phase::Ended)
        std::atomic_ref(recorder.writer.header().flags).fetch_or(vfd::FlagEventsLost);
    state.stream &= ~std::uint64_t{StreamFile};
    state.slow_path_deadline = state.is_shared ? 0 : state.refresh_deadline.ticks();
    return false;
}
} // namespace

unsigned unit_bits() {
    static std::atomic<unsigned> known{0}; // the result plus one; 0: not known yet
    unsigned bits = known.load(std::memory_order_relaxed);
    if (bits == 0) {
        const unsigned most = base::counter_is_trusted() ? 4 : 3;
        bits = std::min(static_cast<unsigned>(std::bit_width(cost_of_clock() | 1)) - 1, most) + 1;
        unsigned none = 0;
        if (!known.compare_exchange_strong(none, bits, std::memory_order_relaxed))
            bits = none; // another thread was first
    }
    return bits - 1;
}

void close_event_segment(ThreadState& state) {
    if (state.event_segment)
        recorder.writer.retire(state.event_segment);
    state.event_segment = nullptr;
    state.event_next = state.event_end = nullptr;
}

namespace {

// The thread's open entries, for a reader that does not have the stream before: frames up to `innermost`, and a pause.
// Calls visit(node id).
template <class Visit>
void for_each_entered(const ThreadState& state, const vfd::Frame* innermost, Visit visit) {
    for (const vfd::Frame* frame = state.frames + 1; frame <= innermost; ++frame)
        if (frame->flags & vfd::FrameLogged)
            visit(frame->node);
    if (state.recording_state == GuardPaused)
        visit(state.pause_node);
}

void put_entered(ThreadState& state, const vfd::Frame* innermost, std::uint64_t now) {
    std::uint64_t count = 0;
    for_each_entered(state, innermost, [&](std::uint32_t) { ++count; });
    std::uint8_t* out = put_leb128(begin_extended(state, vfd::ExtendedKind::Entered, now), count);
    for_each_entered(state, innermost, [&](std::uint32_t node) { out = put_leb128(out, node); });
    end_event(state, out);
}

// Whether the stream is incomplete at this point: a signal handler jumped out of a hook after the segment was begun
// (reentrancy_guard.cpp), or while it was being begun. The next segment's sequence number then leaves a gap, which
// tells a reader.
bool is_torn(const ThreadState& state) {
    return state.event_sequence != 0 &&
           (!state.event_segment || state.event_segment->sequence + 1 != state.event_sequence);
}

// Puts the full segment aside and returns the largest size for the next one. Where signal handlers jump out of many
// hooks, each segment holds next to nothing, and the next one has to be small in proportion.
std::size_t put_full_segment_aside(ThreadState& state) {
    vfd::SegmentHeader* full = std::exchange(state.event_segment, nullptr);
    state.event_next = state.event_end = nullptr;
    if (!full)
        return FirstSegmentBytes;
    const std::size_t used = sizeof(vfd::SegmentHeader) + full->used + vfd::MaxEventBytes;
    const std::size_t most = std::max(4 * used, base::page_size());
    if (uses_ring_buffer())
        add_to_ring(state, full);
    else if (!hand_to_packing(full))
        recorder.writer.retire(full);
    return most;
}

// The size of a segment that begins with the open entries, so that these are a small part of it.
std::size_t least_ring_bytes(const ThreadState& state, const vfd::Frame* innermost) {
    constexpr std::size_t MostOfOneId = 5;
    return 4 * MostOfOneId * static_cast<std::size_t>(innermost - state.frames + 2);
}

// Segments grow with the stream, so that a thread with ten events does not take the whole buffer.
struct WantedSegment {
    std::size_t most; // bytes
    bool begins_with_entered;
};

std::size_t wanted_bytes(const ThreadState& state, const vfd::Frame* innermost, WantedSegment wanted) {
    const Settings& settings = recorder.settings;
    std::size_t bytes = FirstSegmentBytes << std::min(state.event_sequence, 16u);
    bytes = std::min({bytes, settings.event_buffer_bytes, wanted.most});
    if (settings.compress)
        bytes = std::min(bytes, PackedAtOnce);
    if (uses_ring_buffer())
        bytes = std::min(bytes, bytes_of_ring_segment());
    if (wanted.begins_with_entered)
        bytes = std::max(bytes, least_ring_bytes(state, innermost));
    return bytes - sizeof(vfd::SegmentHeader);
}

vfd::SegmentHeader* find_segment(ThreadState& state, const vfd::Frame* innermost, WantedSegment wanted,
                                 std::uint64_t now) {
    const std::size_t bytes = wanted_bytes(state, innermost, wanted);
    vfd::SegmentHeader* segment =
        uses_ring_buffer() ? take_oldest_beyond_limit(state, bytes, now) : take_spare_segment(bytes);
    if (!segment && !recorder.writer.lost())
        segment = recorder.writer.allocate(vfd::SegmentKind::Events, state.record->index, state.event_sequence, bytes);
    if (uses_ring_buffer()) {
        if (!segment)
            return take_oldest_that_fits(state, least_ring_bytes(state, innermost));
        release_oldest_beyond_limit(state, bytes, now);
    }
    return segment;
}

// The segment is new, or was used before and is Free; it is valid again when its kind is stored.
void begin_segment(ThreadState& state, vfd::SegmentHeader* segment, std::uint64_t now) {
    state.event_unit_bits = unit_bits();
    state.event_units = std::max(in_units(state, now), state.event_units);
    std::atomic_ref(segment->used).store(0, std::memory_order_release);
    segment->thread = state.record->index;
    segment->sequence = state.event_sequence++;
    segment->arg0 = std::max(now, state.event_units << state.event_unit_bits);
    segment->flags = static_cast<std::uint16_t>(state.event_unit_bits);
    std::atomic_ref(segment->kind).store(vfd::SegmentKind::Events, std::memory_order_release);
    state.event_segment = segment;
    state.event_node = 0;
    state.prediction->clear();
    state.event_next = vfd::payload<std::uint8_t>(segment);
    state.event_end = reinterpret_cast<std::uint8_t*>(segment) + segment->capacity - vfd::MaxEventBytes;
}

} // namespace

bool next_event_segment(ThreadState& state, std::uint64_t now, const vfd::Frame* innermost) {
    const bool begins_with_entered = state.stream & StreamAll && (uses_ring_buffer() || is_torn(state));
    const std::size_t most = put_full_segment_aside(state);
    if (!state.prediction && !(state.prediction = static_cast<vfd::SuccessorPrediction*>(
                                   base::map_anonymous(sizeof(vfd::SuccessorPrediction)))))
        return end_stream(state);
    vfd::SegmentHeader* segment = find_segment(state, innermost, {most, begins_with_entered}, now);
    if (!segment)
        return end_stream(state);
    begin_segment(state, segment, now);
    if (begins_with_entered)
        put_entered(state, innermost, now);
    return true;
}

namespace {

bool make_room(ThreadState& state, std::uint64_t now, const vfd::Frame* innermost) {
    return has_room(state) || next_event_segment(state, now, innermost);
}

} // namespace

void log_enter(ThreadState& state, std::uint64_t now) {
    if (!make_room(state, now, state.top - 1))
        return;
    if (state.stream & StreamDurationFilter)
        put_enter_for_now(state, now);
    else
        put_enter(state, now);
}

void log_leave(ThreadState& state, std::uint64_t now, const vfd::Frame* innermost) {
    if (make_room(state, now, innermost))
        put_leave(state, now);
}

void log_enter_of(ThreadState& state, std::uint32_t node, std::uint64_t now) {
    if (!make_room(state, now, state.top))
        return;
    end_event(state, put_node(state, begin_extended(state, vfd::ExtendedKind::Enter, now), node));
    state.prediction->enter(node);
}

void log_leave_of(ThreadState& state, std::uint32_t node, std::uint64_t now) {
    if (!make_room(state, now, state.top))
        return;
    end_event(state, put_node(state, begin_extended(state, vfd::ExtendedKind::LeaveOf, now), node));
    state.prediction->leave();
}

void log_thread_change(ThreadState& state, std::uint32_t tid, std::uint64_t now) {
    if (make_room(state, now, state.top))
        end_event(state, put_leb128(begin_extended(state, vfd::ExtendedKind::Thread, now), tid));
}

} // namespace vftr::record
