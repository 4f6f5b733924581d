// SPDX-License-Identifier: BSD-3-Clause
//
// The event stream of a thread: delta-coded records in Events segments (format.hpp, EventKind).
//
// An enter and its leave together take 4 to 6 bytes: ticks since the record before as LEB128, two bits of kind
// in its first byte, and for an enter which callee of its caller it is. A leave needs no id at all. Samples carry ids. When
// a segment is full it is unmapped and the next one begins: the stream costs no memory that grows.
#pragma once

#include "record/thread_state.hpp"

#include <atomic>

namespace vftr::record {

// A new segment for the stream; false: there is none (disk full), the stream ends.
bool next_event_segment(ThreadState& state, std::uint64_t now);
// Ends the segment in use (thread's end).
void close_event_segment(ThreadState& state);
// The record is now used by another thread.
void log_thread_change(ThreadState& state, std::uint32_t tid, std::uint64_t now);

inline std::uint8_t* put_leb128(std::uint8_t* out, std::uint64_t value) {
    if (__builtin_expect(value < 0x4000, 1)) { // nearly always: two bytes at once, one of them kept or not
        std::uint64_t longer = value >= 0x80;
        out[0] = static_cast<std::uint8_t>((value & 0x7f) | longer << 7);
        out[1] = static_cast<std::uint8_t>(value >> 7);
        return out + 1 + longer;
    }
    while (value >= 0x80) {
        *out++ = static_cast<std::uint8_t>(value | 0x80);
        value >>= 7;
    }
    *out++ = static_cast<std::uint8_t>(value);
    return out;
}

inline bool has_room(const ThreadState& state) { return state.event_next < state.event_end; }

// The parts of a record; there must be room for it.
inline std::uint8_t* begin_event(ThreadState& state, vfd::EventKind kind, std::uint64_t now) {
    // Ticks of two cores may differ by a few: time in the stream never runs backwards.
    std::uint64_t delta = now > state.event_ticks ? now - state.event_ticks : 0;
    state.event_ticks += delta;
    return put_leb128(state.event_next, delta << 2 | static_cast<std::uint64_t>(kind));
}
inline std::uint8_t* put_node(ThreadState& state, std::uint8_t* out, std::uint32_t node) {
    std::int64_t step = std::int64_t{node} - std::int64_t{state.event_node};
    state.event_node = node;
    return put_leb128(out, static_cast<std::uint64_t>(step << 1) ^ static_cast<std::uint64_t>(step >> 63));
}
inline void end_event(ThreadState& state, std::uint8_t* out) {
    state.event_next = out;
    auto* payload = reinterpret_cast<std::uint8_t*>(state.event_segment) + sizeof(vfd::SegmentHeader);
    std::atomic_ref(state.event_segment->used).store(static_cast<std::uint64_t>(out - payload), std::memory_order_release);
}

// The enter of the innermost frame. Where the stream knows its caller, one byte says which callee it is.
inline void put_enter(ThreadState& state, std::uint64_t now) {
    const vfd::Frame* frame = state.top;
    const vfd::Node& node = state.nodes[frame->node];
    bool again = frame->node == frame[-1].node;
    if (state.stream & StreamAll && (again || node.parent == frame[-1].node) && (frame[-1].flags & vfd::FrameLogged))
        end_event(state, put_leb128(begin_event(state, vfd::EventKind::Callee, now), again ? 0 : node.ordinal + 1u));
    else
        end_event(state, put_node(state, begin_event(state, vfd::EventKind::Enter, now), frame->node));
}
inline void put_leave(ThreadState& state, std::uint64_t now) {
    end_event(state, begin_event(state, vfd::EventKind::Leave, now));
}

// As above, with a new segment where there is no room; without one the stream has ended and they do nothing.
void log_enter(ThreadState& state, std::uint64_t now);
void log_leave(ThreadState& state, std::uint64_t now);
void log_enter_of(ThreadState& state, std::uint32_t node, std::uint64_t now);
void log_leave_of(ThreadState& state, std::uint32_t node, std::uint64_t now);

} // namespace vftr::record
