// SPDX-License-Identifier: BSD-3-Clause
//
// The event stream of a thread: delta-coded records in Events segments (EventKind in format.hpp).
//
// An enter and its leave together take 2 or 3 bytes. Each begins with the time since the record before, as LEB128. Two
// bits of its first byte mark a leave; four bits say that the callee is the predicted one
// (vfd/successor_prediction.hpp), or which callee of its caller it is. A leave needs no id. Samples carry ids. A full
// segment is unmapped and the next one begins, so the memory that the stream takes does not grow.
//
// The unit of time. A reading of the clock takes 5 to 25 ns, and its result lies somewhere within that time; smaller
// bits of a tick carry no information and would take a byte of each record. So the unit is the largest power of two
// ticks that is not above the cost of one reading, and at most 16 ticks (or 8 ns where a tick is a nanosecond). The
// time since the clock's beginning is rounded, never a difference, so errors do not add up. Profiles keep all bits.
#pragma once

#include "base/compiler.hpp"
#include "base/leb128.hpp"
#include "record/hot/thread_state.hpp"

#include <atomic>

namespace vftr::record {

// Begins a new segment of the stream. False: there is none (the disk is full), and the stream ends. innermost: the
// innermost frame whose enter is in the stream, or any frame above it that is not logged.
bool next_event_segment(ThreadState& state, std::uint64_t now, const vfd::Frame* innermost);
// Ends the segment in use; called when the thread ends.
void close_event_segment(ThreadState& state);
// How many low bits of the ticks the stream's times leave out: see above.
unsigned unit_bits();
// Notes in the stream that another thread uses the record from now on.
void log_thread_change(ThreadState& state, std::uint32_t tid, std::uint64_t now);

using base::put_leb128;

inline bool has_room(const ThreadState& state) { return state.event_next < state.event_end; }

// Ticks in units of the stream.
inline std::uint64_t in_units(const ThreadState& state, std::uint64_t ticks) { return ticks >> state.event_unit_bits; }

// These write the parts of a record, for which there must be room. `kind` includes whatever is in the first byte beside
// the time.
inline std::uint8_t* begin_event(ThreadState& state, unsigned kind, unsigned kind_bits, std::uint64_t now) {
    // The ticks of two cores may differ a little; this keeps time in the stream from running backwards.
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
    return put_leb128(out, base::zigzag(static_cast<std::uint64_t>(step)));
}
inline void end_event(ThreadState& state, std::uint8_t* out) {
    state.event_next = out;
    auto* payload = reinterpret_cast<std::uint8_t*>(state.event_segment) + sizeof(vfd::SegmentHeader);
    std::atomic_ref(state.event_segment->used)
        .store(static_cast<std::uint64_t>(out - payload), std::memory_order_release);
}

// Writes the enter of the innermost frame. Where the stream knows its caller, a number tells which callee it is: in the
// first byte, or behind the time. The code selects without branches, as the processor could not predict them.
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

// As above, with a new segment if there is no room. If there is no segment, the stream has ended and these do nothing.
void log_enter(ThreadState& state, std::uint64_t now);
// innermost: the frame that leaves, if it has been popped already.
void log_leave(ThreadState& state, std::uint64_t now, const vfd::Frame* innermost);
inline void log_leave(ThreadState& state, std::uint64_t now) { log_leave(state, now, state.top); }
void log_enter_of(ThreadState& state, std::uint32_t node, std::uint64_t now);
void log_leave_of(ThreadState& state, std::uint32_t node, std::uint64_t now);

} // namespace vftr::record
