// SPDX-License-Identifier: BSD-3-Clause
//
// The event stream of a thread: delta-coded records in Events segments (format.hpp, EventKind).
//
// An enter and its leave together take 2 or 3 bytes: the time since the record before as LEB128, two bits in its first
// byte that say leave, or four that say that the callee is as predicted (vfd/successor_prediction.hpp), or which of its
// caller it is. A leave needs no id at all. Samples carry ids. When a segment is full it is unmapped and the next one
// begins: the stream costs no memory that grows.
//
// The unit of time. What a reading of the clock says lies somewhere within what the reading takes, 5 to 25 ns; bits of
// a tick below that say nothing and would be a byte of each record. So the unit is the largest power of two ticks
// within the cost of one reading, 16 ticks (8 ns where they are ns) at most. It is the time since the clock's beginning
// that is rounded, never a difference: errors do not add up. Profiles keep all bits.
#pragma once

#include "base/compiler.hpp"
#include "record/thread_state.hpp"
#include "vfd/leb128.hpp"

#include <atomic>

namespace vftr::record {

// A new segment for the stream; false: there is none (disk full), the stream ends. innermost: the innermost frame whose
// enter is in the stream, or any that stands above it and is not logged.
bool next_event_segment(ThreadState& state, std::uint64_t now, const vfd::Frame* innermost);
// Ends the segment in use (thread's end).
void close_event_segment(ThreadState& state);
// How many bits of a tick the stream's times lack: see above.
unsigned unit_bits();
// The record is now used by another thread.
void log_thread_change(ThreadState& state, std::uint32_t tid, std::uint64_t now);

using vfd::put_leb128;

inline bool has_room(const ThreadState& state) { return state.event_next < state.event_end; }

// On the grid of the stream's times.
inline std::uint64_t in_units(const ThreadState& state, std::uint64_t ticks) { return ticks >> state.event_unit_bits; }

// The parts of a record; there must be room for it. `kind` includes what stands in the head beside the time.
inline std::uint8_t* begin_event(ThreadState& state, unsigned kind, unsigned kind_bits, std::uint64_t now) {
    // Ticks of two cores may differ by a few: time in the stream never runs backwards.
    std::uint64_t units = in_units(state, now);
    std::uint64_t delta = units > state.event_units ? units - state.event_units : 0;
    state.event_units += delta;
    return put_leb128(state.event_next, delta << kind_bits | kind);
}
inline std::uint8_t* begin_extended(ThreadState& state, vfd::ExtendedKind kind, std::uint64_t now) {
    std::uint8_t* out = begin_event(state, static_cast<unsigned>(vfd::EventKind::Extended), vfd::KindBits, now);
    *out++ = static_cast<std::uint8_t>(kind);
    return out;
}
inline std::uint8_t* put_node(ThreadState& state, std::uint8_t* out, std::uint32_t node) {
    std::int64_t step = std::int64_t{node} - std::int64_t{state.event_node};
    state.event_node = node;
    return put_leb128(out, vfd::zigzag(static_cast<std::uint64_t>(step)));
}
inline void end_event(ThreadState& state, std::uint8_t* out) {
    state.event_next = out;
    auto* payload = reinterpret_cast<std::uint8_t*>(state.event_segment) + sizeof(vfd::SegmentHeader);
    std::atomic_ref(state.event_segment->used)
        .store(static_cast<std::uint64_t>(out - payload), std::memory_order_release);
}

// The enter of the innermost frame. Where the stream knows its caller, a number says which callee it is: within the
// head or, without a branch that the processor could not foresee, behind it.
VFTR_INLINE void put_enter(ThreadState& state, std::uint64_t now) {
    const vfd::Frame* frame = state.top;
    const vfd::Node& node = state.nodes[frame->node];
    bool again = frame->node == frame[-1].node;
    if (state.stream & StreamAll && (again || node.parent == frame[-1].node) && (frame[-1].flags & vfd::FrameLogged)) {
        unsigned callee = again ? 0 : node.ordinal + 1;
        bool predicted = state.prediction->expected() == frame->node, near = callee - 1 < vfd::NearCallees;
        unsigned kind = static_cast<unsigned>(vfd::EventKind::AnyCallee);
        kind = near ? vfd::kind_of_near_callee(callee) : kind;
        kind = predicted ? static_cast<unsigned>(vfd::EventKind::PredictedCallee) : kind;
        std::uint8_t* head_end = begin_event(state, kind, vfd::KindBits, now);
        std::uint8_t* end = put_leb128(head_end, callee);
        end_event(state, (near | predicted) ? head_end : end);
    } else
        end_event(state, put_node(state, begin_extended(state, vfd::ExtendedKind::Enter, now), frame->node));
    state.prediction->enter(frame->node);
}
inline void put_leave(ThreadState& state, std::uint64_t now) {
    state.prediction->leave();
    end_event(state, begin_event(state, static_cast<unsigned>(vfd::EventKind::Leave), vfd::LeaveBits, now));
}

// As above, with a new segment where there is no room; without one the stream has ended and they do nothing.
void log_enter(ThreadState& state, std::uint64_t now);
// innermost: the frame that leaves, if it has been taken off the stack.
void log_leave(ThreadState& state, std::uint64_t now, const vfd::Frame* innermost);
inline void log_leave(ThreadState& state, std::uint64_t now) { log_leave(state, now, state.top); }
void log_enter_of(ThreadState& state, std::uint32_t node, std::uint64_t now);
void log_leave_of(ThreadState& state, std::uint32_t node, std::uint64_t now);

} // namespace vftr::record
