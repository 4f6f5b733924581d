// SPDX-License-Identifier: BSD-3-Clause
//
// What an enter and a leave do to the thread's state, written once and inlined into the function hooks and the named
// entries. The caller holds the guard.
//
// Cost: each reads the clock once and touches two cache lines of the thread's state, one of the node and one of the
// frame; the number of instructions is in test/system/instructions.table. Direct recursion is counted without reading
// the clock, unless the event stream needs times.
//
// Order of the stores: a recording that ends between any two of them (kill -9, a signal handler that never returns) is
// wrong by at most one call, and nothing in it points to data that does not exist.
#pragma once

#include "base/clock.hpp"
#include "base/compiler.hpp"
#include "base/errno_preserved.hpp"
#include "record/budget/windowed.hpp"
#include "record/hot/call_tree.hpp"
#include "record/hot/frames.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/stacks/stacks.hpp"

namespace vftr::record {

struct CallAddresses {
    std::uint64_t stack_pointer;
    std::uint32_t call_site; // low 32 bits of the address; 0 where it is not known
    std::uint32_t hook_site;
};

// The slow path does what only some events need: the event stream, refreshed clocks, a requested pause. Both functions
// end the event, that is, they release the guard. So a hook can jump to them as its last act and needs no stack frame
// of its own.
void slow_path_enter(ThreadState& state, std::uint64_t now);
void slow_path_leave(ThreadState& state, vfd::Frame& left, std::uint64_t now);
// For the call of an excluded function while the slow path is requested. It does the slow path's work now, as there may
// be no other event that could do it.
VFTR_COLD void enter_on_slow_path(ThreadState& state, std::uint64_t function, CallAddresses addresses);

// For the enter or leave of a named entry, before it begins: makes it take the slow path where a callback subscribes to
// named entries.
VFTR_INLINE void take_slow_path_if_subscribed(ThreadState& state) {
    if (VFTR_UNLIKELY(state.stream & StreamNamed))
        state.slow_path_deadline = 0;
}

// Strict: the counter is trusted and can be read without a call, so that the compiler does not need to save registers.
enum class Plain { Strict, Lax };

// The ticks of an event: the given ones, or a reading of the clock if they are 0.
template <Plain plain>
VFTR_INLINE std::uint64_t ticks_of_event(std::uint64_t given) {
    if (given != 0)
        return given;
    return plain == Plain::Strict ? base::read_counter() : base::read_ticks();
}

// Counts the call of path `id` and pushes its frame on the shadow stack, which must have room. Returns true if the
// event has to take the slow path, at the ticks that `now` receives; otherwise the guard is to be released.
template <Plain plain>
VFTR_INLINE bool push_frame(ThreadState& state, std::uint32_t id, CallAddresses addresses, std::uint64_t given,
                            std::uint64_t& now) {
    vfd::Frame* top = state.top;
    vfd::Frame* frame = top + 1;
    vfd::Node& node = state.nodes[id];
    frame->node = id;
    asm volatile("" ::: "memory"); // the frame names the node before its counts change (repair_open_counts)
    ++node.calls;
    ++node.open;
    frame->stack_pointer = addresses.stack_pointer;
    frame->child = 0;
    frame->call_site = addresses.call_site;
    frame->hook_site = addresses.hook_site;
    if (id == top->node && state.stream == StreamNone && VFTR_LIKELY(!(node.flags & vfd::NodeTrigger))) {
        ++node.folded;
        frame->flags = vfd::FrameFolded;
        state.top = frame;
        publish_depth(state);
        return false;
    }
    frame->flags = 0;
    now = ticks_of_event<plain>(given);
    frame->enter = now;
    state.top = frame;
    publish_depth(state);
    return VFTR_UNLIKELY(now >= state.slow_path_deadline.ticks() || node.flags & (vfd::NodePrecise | vfd::NodeTrigger));
}

// Counts the call and pushes its frame, as push_frame does. Ends the event.
template <Plain plain>
VFTR_INLINE void push_call(ThreadState& state, std::uint32_t id, CallAddresses addresses, std::uint64_t given = 0) {
    std::uint64_t now;
    if (VFTR_UNLIKELY(push_frame<plain>(state, id, addresses, given, now)))
        slow_path_enter(state, now);
    else
        release_guard(state);
}

// True if the function that begins is inlined into a running one. The two then share one machine frame, and while that
// frame is alive none of its hook calls runs twice (frames.hpp).
VFTR_INLINE bool is_inlined(const vfd::Frame* top, CallAddresses addresses) {
    if (top->stack_pointer != addresses.stack_pointer)
        return false;
    for (; top->stack_pointer == addresses.stack_pointer; --top)
        if (top->call_site != addresses.call_site || top->hook_site == addresses.hook_site)
            return false;
    return true;
}

// The plain case of an enter: the call path is known and the caller alive. True: the event is complete and the guard
// released. False: this is not the plain case, and nothing has changed.
VFTR_INLINE bool enter_again(ThreadState& state, std::uint64_t key, CallAddresses addresses) {
    const vfd::Frame* top = state.top;
    std::uint32_t id;
    if (VFTR_UNLIKELY((addresses.stack_pointer >= top->stack_pointer && !is_inlined(top, addresses)) ||
                      addresses.stack_pointer < state.stack_low ||
                      !state.children.find_at_home(state.nodes, top->node, key, id) || top + 1 == state.frames_end))
        return false;
    const std::int32_t countdown = state.nodes[id].countdown;
    if (countdown == 0 && base::counter_is_trusted())
        push_call<Plain::Strict>(state, id, addresses);
    else if (countdown < 0 && VFTR_LIKELY(state.refresh_deadline.ticks() != 0))
        release_guard(state);
    else if (countdown > 0 && id != top->node && VFTR_LIKELY(!slow_path_is_requested(state)))
        begin_count_only_call(state, id, key, addresses.stack_pointer, addresses.call_site, addresses.hook_site);
    else
        return false;
    return true;
}

// Any enter. If there is no memory for the call, recording of the thread ends here: with unseen calls, leaves would be
// matched with the wrong frames.
VFTR_INLINE void enter(ThreadState& state, std::uint64_t key, vfd::NodeKind kind, CallAddresses addresses,
                       std::uint64_t given = 0) {
    if (VFTR_UNLIKELY(kind == vfd::NodeKind::Function && !on_current_stack(state, addresses.stack_pointer)))
        switch_to_stack(state, addresses.stack_pointer, Unknown::Begins);
    if (may_be_stale(*state.top))
        drop_stale_frames(state);
    if (kind == vfd::NodeKind::Function && addresses.stack_pointer >= state.top->stack_pointer)
        drop_dead_frames(state, addresses.stack_pointer, addresses.call_site, addresses.hook_site);
    std::uint32_t caller = state.top->node;
    std::uint32_t id = state.children.find(state.nodes, caller, key);
    if (VFTR_UNLIKELY(id == ChildTable::NotThere))
        id = create_callee(state, caller, key, kind, addresses.hook_site);
    if (VFTR_UNLIKELY(id == 0))
        return refuse_current_thread();
    if (VFTR_UNLIKELY(state.top + 1 == state.frames_end) && !grow_frames(state))
        return refuse_current_thread();
    const std::int32_t countdown = state.nodes[id].countdown;
    if (VFTR_UNLIKELY(countdown < 0) && kind == vfd::NodeKind::Function)
        return state.refresh_deadline.ticks() != 0 ? release_guard(state) : enter_on_slow_path(state, key, addresses);
    if (countdown > 0 && id != caller && !slow_path_is_requested(state))
        return begin_count_only_call(state, id, key, addresses.stack_pointer, addresses.call_site, addresses.hook_site);
    push_call<Plain::Lax>(state, id, addresses, given);
}

// True if the innermost frame is the one that leaves.
VFTR_INLINE bool matches_top(const ThreadState& state, std::uint64_t key, std::uint64_t stack_pointer, bool jumped) {
    const vfd::Frame* frame = state.top;
    return state.nodes[frame->node].key == key && stack_pointer >= state.stack_low &&
           (stack_pointer <= frame->stack_pointer || (jumped && stack_pointer <= frame[-1].stack_pointer));
}

// Ends the innermost frame and the event.
template <Plain plain>
VFTR_INLINE void leave_top(ThreadState& state, std::uint64_t given = 0) {
    vfd::Frame* frame = state.top;
    if (frame->flags & vfd::FrameNotTimed) {
        pop_frame(state, 0);
        publish_depth(state);
        return release_guard(state);
    }
    std::uint64_t now = ticks_of_event<plain>(given);
    pop_frame(state, now);
    state.record->last = now;
    publish_depth(state);
    if (VFTR_UNLIKELY(now >= state.slow_path_deadline.ticks() ||
                      state.nodes[frame->node].flags &
                          (vfd::NodePrecise | vfd::NodeTimingSampled | vfd::NodeDurations)))
        slow_path_leave(state, *frame, now);
    else
        release_guard(state);
}

// Any leave of a function.
inline void leave(ThreadState& state, std::uint64_t key, std::uint64_t stack_pointer, bool jumped) {
    const bool here =
        on_current_stack(state, stack_pointer) || switch_to_stack(state, stack_pointer, Unknown::StaysAway);
    if (here && matches_top(state, key, stack_pointer, jumped))
        return leave_top<Plain::Lax>(state);
    std::uint32_t id = here ? state.children.find(state.nodes, state.top->node, key) : ChildTable::NotThere;
    if (id != ChildTable::NotThere && state.nodes[id].countdown < 0) // the function is excluded
        return release_guard(state);
    base::preserving_errno([&] {
        if (here)
            leave_inner_frame(state, key, stack_pointer, jumped, base::read_ticks());
        else
            state.record->unmatched += !was_windowed(key);
        release_guard(state);
    });
}

} // namespace vftr::record
