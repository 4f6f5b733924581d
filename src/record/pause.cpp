// SPDX-License-Identifier: BSD-3-Clause
#include "record/pause.hpp"

#include "base/clock.hpp"
#include "record/enter_leave.hpp"
#include "record/events.hpp"
#include "record/gate.hpp"

namespace vftr::record {

namespace {

// Books the paused time since the last look.
void book_pause(ThreadState& state, std::uint64_t now) {
    std::uint64_t duration = now - state.paused_since;
    vfd::Node& node = state.nodes[state.pause_node];
    node.exclusive += duration;
    node.inclusive += duration;
    state.top->child += duration;
    state.paused_since = now;
}

} // namespace

void pause_thread(ThreadState& state, std::uint64_t now) {
    if (state.open_value == GatePaused)
        return;
    state.pause_node = state.children.find(state.top->node, recorder.pause_key);
    if (state.pause_node == ChildTable::NotThere)
        state.pause_node = create_child(state, state.top->node, recorder.pause_key, vfd::NodeKind::Pause);
    ++state.nodes[state.pause_node].calls;
    state.paused_since = now;
    if (state.stream)
        log_enter_of(state, state.pause_node, now);
    state.open_value = GatePaused;
}

bool resume_if_over(ThreadState& state) {
    if (recorder.paused.load(std::memory_order_acquire))
        return false;
    std::uint64_t now = base::read_ticks();
    book_pause(state, now);
    if (state.stream)
        log_leave_of(state, state.pause_node, now);
    state.open_value = GateReady;
    state.refresh_due = state.due = 0;
    open_gate(state);
    return true;
}

void leave_paused(ThreadState& state, std::uint64_t key, std::uint64_t stack_pointer, bool jumped) {
    if (state.top == state.frames || !answers(state, key, stack_pointer, jumped))
        return;
    state.gate = stack_pointer;
    std::uint64_t now = base::read_ticks();
    book_pause(state, now);
    if (state.top->flags & vfd::FrameLogged)
        log_leave_of(state, state.top->node, now);
    pop_frame(state, now);
    state.record->last = now;
    publish_depth(state);
    open_gate(state);
}

void pause_all() {
    if (recorder.paused.exchange(true))
        return;
    for (ThreadState* state = recorder.threads.load(); state; state = state->next) {
        state->refresh_due = 0;
        state->due = 0;
    }
}

void resume_all() { recorder.paused.store(false); }

void pause_here() {
    if (ThreadState* state = current; state->gate == GateReady) {
        close_gate(*state, reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)));
        pause_thread(*state, base::read_ticks());
        open_gate(*state);
    }
}

void resume_here() {
    if (ThreadState* state = current; state->gate == GatePaused)
        resume_if_over(*state);
}

} // namespace vftr::record
