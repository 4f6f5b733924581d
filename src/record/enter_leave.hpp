// SPDX-License-Identifier: BSD-3-Clause
//
// What an enter and a leave do to the thread's state, written once and inlined into the function hooks and the
// named entries. The caller has closed the gate.
//
// Price on x86-64, besides one clock read each: about 30 instructions, two cache lines of the thread's state, one of the
// node, one of the frame. Direct recursion is counted without reading the clock, unless the event stream wants times.
//
// Order of the stores: a recording that ends between any two of them (kill -9, a signal handler that never
// returns) is at most one call off; nothing points to what is not there.
#pragma once

#include "base/clock.hpp"
#include "base/compiler.hpp"
#include "record/frames.hpp"
#include "record/tree.hpp"

namespace vftr::record {

struct Place {
    std::uint64_t stack_pointer;
    std::uint32_t call_site; // low 32 bits; 0 where it is not known
    std::uint32_t hook_site;
};

// What is not needed for every event: samples, refreshed clocks, a pause that was asked for.
VFTR_COLD void second_look_enter(ThreadState& state, std::uint64_t now);
VFTR_COLD void second_look_leave(ThreadState& state, const vfd::Frame& left, std::uint64_t now);

VFTR_INLINE void enter(ThreadState& state, std::uint64_t key, vfd::NodeKind kind, Place place) {
    vfd::Frame* top = state.top;
    if (VFTR_UNLIKELY(place.stack_pointer >= top->stack_pointer) && kind == vfd::NodeKind::Function) {
        drop_dead_frames(state, place.stack_pointer, place.call_site, place.hook_site);
        top = state.top;
    }
    std::uint32_t id = state.nodes[top->node].last_child;
    if (state.nodes[id].key != key)
        id = find_or_create_child(state, top->node, key, kind);
    vfd::Node& node = state.nodes[id];
    vfd::Frame* frame = top + 1;
    if (VFTR_UNLIKELY(frame == state.frames_end) && !(frame = grow_frames(state)))
        return; // no memory: this call stays unseen, its leave will not match
    ++node.calls;
    ++node.open;
    frame->stack_pointer = place.stack_pointer;
    frame->child = 0;
    frame->node = id;
    frame->call_site = place.call_site;
    frame->hook_site = place.hook_site;
    if (id == frame[-1].node && !state.stream) {
        frame->flags = vfd::FrameFolded;
        state.top = frame;
        publish_depth(state);
        return;
    }
    frame->flags = 0;
    std::uint64_t now = base::read_ticks();
    frame->enter = now;
    state.top = frame;
    publish_depth(state);
    if (VFTR_UNLIKELY(now >= state.due || node.flags & vfd::NodePrecise))
        second_look_enter(state, now);
}

// Whether the innermost frame is the one that leaves.
VFTR_INLINE bool answers(const ThreadState& state, std::uint64_t key, std::uint64_t stack_pointer, bool jumped) {
    const vfd::Frame* frame = state.top;
    return state.nodes[frame->node].key == key &&
           (stack_pointer <= frame->stack_pointer || (jumped && stack_pointer <= frame[-1].stack_pointer));
}

// Ends the innermost frame.
VFTR_INLINE void leave_top(ThreadState& state) {
    vfd::Frame* frame = state.top;
    if (frame->flags & vfd::FrameFolded) {
        pop_frame(state, 0);
        publish_depth(state);
        return;
    }
    std::uint64_t now = base::read_ticks();
    pop_frame(state, now);
    state.record->last = now;
    publish_depth(state);
    if (VFTR_UNLIKELY(now >= state.due || state.nodes[frame->node].flags & vfd::NodePrecise))
        second_look_leave(state, *frame, now);
}

} // namespace vftr::record
