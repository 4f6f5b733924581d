// SPDX-License-Identifier: BSD-3-Clause
#include "record/hot/decision_update.hpp"

#include "base/clock.hpp"
#include "base/errno_preserved.hpp"
#include "record/hot/call_tree.hpp"
#include "record/hot/filter_decisions.hpp"
#include "record/hot/frames.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/pause.hpp"
#include "record/threads/thread_records.hpp"
#include "record/timing/adaptive.hpp"
#include "record/timing/one_time_work.hpp"

#include <algorithm>
#include <utility>

namespace vftr::record {

using vfd::Node;
using vfd::NodeKind;

namespace {

bool is_unrecorded_node(const Node& node) { return node.flags & vfd::NodeUnrecorded; }

std::uint8_t decision_before(const Node& node) {
    const auto ask = recorder.settings.decision_before;
    return ask ? ask(node.key, node.module) : 0;
}

// True for a function whose object is still loaded. A changed decision refers to the function at its address, and the
// address no longer belongs to it if the object is unloaded.
bool is_function_here(const Node& node) {
    return node.kind == NodeKind::Function && !recorder.modules.unloaded(node.module);
}

// Applies the changes from number `seen` + 1 to `changes`.
void follow_in_tree(ThreadState& state, std::uint32_t seen, std::uint32_t changes) {
    const std::uint32_t count = state.record->node_count;
    auto may_have_changed = [&](const Node& node) {
        return recorder.decision_changes.may_have(node.key, node.module, seen, changes) && is_function_here(node);
    };
    bool recorded_now = false;
    for (std::uint32_t id = 1; id < count; ++id) {
        Node& node = state.nodes[id];
        if (!may_have_changed(node))
            continue;
        const bool excluded = is_excluded(state, decision_before(node));
        if (is_unrecorded_node(node)) {
            recorded_now |= !excluded;
            continue;
        }
        if (excluded && node.countdown != vfd::CountdownUnrecorded) {
            time_all_calls(state, id);
            node.countdown = vfd::CountdownUnrecorded;
        } else if (!excluded && node.countdown == vfd::CountdownUnrecorded)
            node.countdown = 0;
    }
    if (!recorded_now)
        return;
    state.children.forget_callers(state.nodes, [&](std::uint32_t id) {
        const Node& node = state.nodes[id];
        return is_unrecorded_node(node) && may_have_changed(node) && !is_excluded(state, decision_before(node));
    });
}

void take_out_frames(ThreadState& state, std::uint64_t now) {
    for (vfd::Frame* frame = state.top; frame > state.frames; --frame)
        if (const Node& node = state.nodes[frame->node]; node.countdown == vfd::CountdownUnrecorded) {
            // This ends the innermost frame of the function: this one, or one above it.
            leave_named_frame(state, node.key, now);
            frame = std::min(frame, state.top) + 1;
        }
}

} // namespace

void follow_decisions(ThreadState& state, std::uint64_t now) {
    const std::uint32_t changes = recorder.decision_changes.count();
    follow_in_tree(state, std::exchange(state.decisions_seen, changes), changes);
    take_out_frames(state, now);
    charge_one_time_work(state,
                         // If this event brought the new decision, the charge includes the time of patching the code.
                         now);
}

void follow_decisions_here() {
    if (ThreadState* state = current; state->record && stays_ready(*state) && state->guard != GuardOff)
        follow_decisions_if_changed(*state, base::read_ticks());
}

void obey_trigger(ThreadState& state, std::uint64_t function) {
    if (std::exchange(state.counted_trigger, 0) == function || !recorder.settings.trigger_called)
        return;
    switch (recorder.settings.trigger_called(function)) {
    case TriggerAction::Stop:
        pause_all();
        break; // the pause takes effect later in this same event
    case TriggerAction::Start:
        resume_all();
        // The thread has not noticed the pause yet: this is its first function, or another thread's trigger began the
        // pause.
        break;
    case TriggerAction::None:
        break;
    }
}

void look_for_trigger(ThreadState& state, std::uint64_t function) {
    if (!recorder.settings.trigger_called)
        return;
    hold_guard(state, reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)));
    base::preserving_errno([&] {
        state.counted_trigger = 0;
        if (is_trigger(function) && recorder.settings.trigger_called(function) == TriggerAction::Start) {
            resume_all();
            state.counted_trigger = function;
        }
    });
    release_guard(state);
}

} // namespace vftr::record
