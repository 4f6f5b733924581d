// SPDX-License-Identifier: BSD-3-Clause
#include "record/pause.hpp"

#include "base/clock.hpp"
#include "record/control.hpp"
#include "record/hot/enter_leave.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/observers.hpp"
#include "record/stream/events.hpp"
#include "record/threads/thread_records.hpp"
#include "record/timing/off_cpu.hpp"

namespace vftr::record {

namespace {

// Charges the paused time since it was last charged.
void charge_pause(ThreadState& state, std::uint64_t now) {
    std::uint64_t duration = now - state.paused_since;
    vfd::Node& node = state.nodes[state.pause_node];
    node.exclusive += duration;
    node.inclusive += duration;
    state.top->child += duration;
    state.paused_since = now;
}

// The frame to which a leave belongs. Functions that were entered during the pause have none, and must not take that of
// another activation. So the stack pointer has to be the same (a function that has grown its frame since is not found;
// its frame is dropped with its caller's).
vfd::Frame* find_seen(ThreadState& state, std::uint64_t key, std::uint64_t stack_pointer, bool jumped) {
    for (vfd::Frame* frame = state.top; frame > state.frames; --frame) {
        if (jumped ? frame->stack_pointer >= stack_pointer : frame->stack_pointer > stack_pointer)
            return nullptr;
        bool here = jumped ? stack_pointer <= frame[-1].stack_pointer : frame->stack_pointer == stack_pointer;
        if (here && state.nodes[frame->node].key == key)
            return frame;
    }
    return nullptr;
}

} // namespace

void pause_thread(ThreadState& state, std::uint64_t now) {
    if (state.recording_state == GuardPaused)
        return;
    charge_off_cpu(state, now);
    // A preemption while the kernel was queried has moved the begin of all frames.
    now = base::read_ticks();
    state.pause_node = state.children.find(state.nodes, state.top->node, recorder.pause_key);
    if (state.pause_node == ChildTable::NotThere)
        state.pause_node = create_child(state, state.top->node, recorder.pause_key,
                                        vfd::NodeKind::Pause); // or the root, without memory
    ++state.nodes[state.pause_node].calls;
    state.paused_since = now;
    if (state.stream & StreamFile)
        log_enter_of(state, state.pause_node, now);
    state.recording_state = GuardPaused;
}

void charge_pause_here() {
    ThreadState& state = *current;
    if (state.guard != GuardOff && state.recording_state == GuardPaused)
        charge_pause(state, base::read_ticks());
}

void end_pause(ThreadState& state, std::uint64_t now) {
    if (state.recording_state != GuardPaused)
        return;
    charge_pause(state, now);
    go_on_off_cpu(state, now);
    if (state.stream & StreamFile)
        log_leave_of(state, state.pause_node, now);
    state.recording_state = state.is_shared ? GuardShared : GuardReady;
}

bool resume_if_over(ThreadState& state) {
    if (is_asked()) {
        hold_guard(state, reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)));
        observers.obey_control();
        release_guard(state);
    }
    if (recorder.paused.load(std::memory_order_acquire))
        return false;
    hold_guard(state, reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)));
    end_pause(state, base::read_ticks());
    request_slow_path(state);
    release_guard(state);
    return true;
}

void leave_paused(ThreadState& state, std::uint64_t key, std::uint64_t stack_pointer, bool jumped) {
    hold_guard(state, stack_pointer);
    if (vfd::Frame* frame = find_seen(state, key, stack_pointer, jumped)) {
        std::uint64_t now = base::read_ticks();
        charge_pause(state, now);
        while (state.top > frame)
            vanish_frame(state, now);
        log_leave_of_top(state, now);
        pop_frame(state, now);
        state.record->last = now;
        publish_depth(state);
    }
    release_guard(state);
}

void leave_named_paused(ThreadState& state, std::uint64_t key) {
    hold_guard(state, reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)));
    std::uint64_t now = base::read_ticks();
    charge_pause(state, now);
    leave_named_frame(state, key, now);
    release_guard(state);
}

void pause_all() {
    if (recorder.paused.exchange(true))
        return;
    request_slow_path_of_all();
}

void resume_all() { recorder.paused.store(false); }

void pause_here() {
    if (ThreadState* state = materialized_thread(); is_ready(*state)) {
        hold_guard(*state, reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)));
        pause_thread(*state, base::read_ticks());
        release_guard(*state);
    }
}

void resume_here() {
    if (ThreadState* state = materialized_thread(); state->guard == GuardPaused)
        resume_if_over(*state);
}

} // namespace vftr::record
