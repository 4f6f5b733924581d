// SPDX-License-Identifier: BSD-3-Clause
#include "record/events.hpp"

#include "base/clock.hpp"
#include "record/recorder.hpp"

#include <algorithm>
#include <bit>

namespace vftr::record {

namespace {
constexpr std::size_t FirstSegmentBytes = 65536;

// Ticks that a reading of the clock takes: of some in a row, as processors read it ahead of time; the least of some such rows.
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

// The profile goes on without a second look at every event.
bool end_stream(ThreadState& state) {
    if (state.stream & StreamFile)
        std::atomic_ref(recorder.writer.header().flags).fetch_or(vfd::FlagEventsLost);
    state.stream &= ~std::uint64_t{StreamFile};
    state.due = state.refresh_due;
    return false;
}
}

unsigned unit_bits() {
    static std::atomic<unsigned> known{0}; // and one more: 0 is not yet
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

bool next_event_segment(ThreadState& state, std::uint64_t now) {
    close_event_segment(state);
    if (recorder.writer.lost())
        return end_stream(state);
    // Segments grow with the stream: a thread with ten events does not take the whole buffer.
    std::size_t bytes = FirstSegmentBytes << std::min(state.event_sequence, 16u);
    bytes = std::min(bytes, recorder.settings.event_buffer_bytes) - sizeof(vfd::SegmentHeader);
    vfd::SegmentHeader* segment = recorder.writer.allocate(vfd::SegmentKind::Events, state.record->index, state.event_sequence, bytes);
    if (!segment)
        return end_stream(state);
    ++state.event_sequence;
    state.event_unit_bits = unit_bits();
    state.event_units = std::max(in_units(state, now), state.event_units);
    segment->arg0 = std::max(now, state.event_units << state.event_unit_bits);
    segment->flags = static_cast<std::uint16_t>(state.event_unit_bits);
    state.event_segment = segment;
    state.event_node = 0;
    state.event_next = vfd::payload<std::uint8_t>(segment);
    state.event_end = reinterpret_cast<std::uint8_t*>(segment) + segment->capacity - vfd::MaxEventBytes;
    return true;
}

namespace {

bool make_room(ThreadState& state, std::uint64_t now) { return has_room(state) || next_event_segment(state, now); }

} // namespace

void log_enter(ThreadState& state, std::uint64_t now) {
    if (!make_room(state, now))
        return;
    if (state.stream & StreamBrief)
        put_enter_for_now(state, now);
    else
        put_enter(state, now);
}

void log_leave(ThreadState& state, std::uint64_t now) {
    if (make_room(state, now))
        put_leave(state, now);
}

void log_enter_of(ThreadState& state, std::uint32_t node, std::uint64_t now) {
    if (make_room(state, now))
        end_event(state, put_node(state, begin_extended(state, vfd::ExtendedKind::Enter, now), node));
}

void log_leave_of(ThreadState& state, std::uint32_t node, std::uint64_t now) {
    if (make_room(state, now))
        end_event(state, put_node(state, begin_extended(state, vfd::ExtendedKind::LeaveOf, now), node));
}

void log_thread_change(ThreadState& state, std::uint32_t tid, std::uint64_t now) {
    if (make_room(state, now))
        end_event(state, put_leb128(begin_extended(state, vfd::ExtendedKind::Thread, now), tid));
}

} // namespace vftr::record
