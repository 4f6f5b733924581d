// SPDX-License-Identifier: BSD-3-Clause
#include "record/events.hpp"

#include "record/recorder.hpp"

#include <algorithm>

namespace vftr::record {

namespace {
constexpr std::size_t FirstSegmentBytes = 65536;

// The profile goes on without a second look at every event.
bool end_stream(ThreadState& state) {
    if (state.stream & StreamFile)
        std::atomic_ref(recorder.writer.header().flags).fetch_or(vfd::FlagEventsLost);
    state.stream &= ~std::uint64_t{StreamFile};
    state.due = state.refresh_due;
    return false;
}
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
    segment->arg0 = now;
    state.event_segment = segment;
    state.event_ticks = now;
    state.event_node = 0;
    state.event_next = vfd::payload<std::uint8_t>(segment);
    state.event_end = reinterpret_cast<std::uint8_t*>(segment) + segment->capacity - vfd::MaxEventBytes;
    return true;
}

namespace {

bool make_room(ThreadState& state, std::uint64_t now) { return has_room(state) || next_event_segment(state, now); }

std::uint8_t* begin_extended(ThreadState& state, vfd::ExtendedKind kind, std::uint64_t now) {
    std::uint8_t* out = begin_event(state, vfd::EventKind::Extended, now);
    *out++ = static_cast<std::uint8_t>(kind);
    return out;
}

} // namespace

void log_enter(ThreadState& state, std::uint64_t now) {
    if (make_room(state, now))
        put_enter(state, now);
}

void log_leave(ThreadState& state, std::uint64_t now) {
    if (make_room(state, now))
        put_leave(state, now);
}

void log_enter_of(ThreadState& state, std::uint32_t node, std::uint64_t now) {
    if (make_room(state, now))
        end_event(state, put_node(state, begin_event(state, vfd::EventKind::Enter, now), node));
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
