// SPDX-License-Identifier: BSD-3-Clause
#include "record/entries/constructs.hpp"

#include "base/errno_preserved.hpp"
#include "record/hot/enter_leave.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/modules/unload.hpp"
#include "record/pause.hpp"
#include "record/stacks/stacks.hpp"
#include "record/threads/shared_thread.hpp"

#include <algorithm>
#include <atomic>

namespace vftr::record {

using vfd::NodeKind;

namespace {

std::uint64_t key_of(const CallInstance& place) {
    return vfd::AttributedWorkKey | std::uint64_t{place.thread} << 32 | place.node;
}

// Time of the thread's latest timed event.
std::uint64_t latest(const ThreadState& state) {
    const vfd::Frame* frame = state.top;
    while (frame->flags & vfd::FrameNotTimed)
        --frame;
    return std::max({frame->enter, state.record->last, state.paused_since});
}

// Drops frames that are deeper on the stack than the runtime's call of this function. Returns the given ticks,
// corrected: if frames ended now, nothing can have begun before now.
std::uint64_t drop_what_is_gone(ThreadState& state, std::uint64_t stack_pointer, std::uint64_t ticks) {
    if (stack_pointer <= state.top->stack_pointer)
        return ticks == 0 ? 0 : std::max(ticks, latest(state));
    const vfd::Frame* top = state.top;
    drop_dead_frames(state, stack_pointer, 0, 0);
    if (state.top == top)
        return ticks == 0 ? 0 : std::max(ticks, latest(state));
    state.record->last = base::read_ticks();
    return state.record->last;
}

// Returns the calling thread's state with its guard held, or nullptr.
ThreadState* begin_event(std::uint64_t stack_pointer) {
    ThreadState* state = ready_thread(Wanted::Enter, stack_pointer);
    if (!state || !recorder.settings.constructs)
        return nullptr;
    hold_guard(*state, stack_pointer);
    return state;
}

// Called before an entry that began some time ago. True: its path is new, and the begin of all frames has moved by the
// time that making the path took.
bool make_path_first(ThreadState& state, std::uint64_t key, NodeKind kind) {
    const std::uint32_t caller = state.top->node;
    return state.children.find(state.nodes, caller, key) == ChildTable::NotThere &&
           create_callee(state, caller, key, kind) != 0;
}

bool enter_here(std::uint64_t key, NodeKind kind, std::uint64_t ticks, std::uint64_t stack_pointer) {
    ThreadState* state = begin_event(stack_pointer);
    if (!state)
        return false;
    base::preserving_errno([&] {
        // A runtime attaches a worker from whatever stack the worker waits on.
        if (kind == NodeKind::OpenMp && !on_current_stack(*state, stack_pointer))
            switch_to_stack(*state, stack_pointer, Unknown::Begins);
        ticks = drop_what_is_gone(*state, stack_pointer, ticks);
        if (ticks != 0 && make_path_first(*state, key, kind))
            ticks = std::max(ticks, latest(*state));
        const vfd::Frame* below = state->top;
        take_slow_path_if_subscribed(*state);
        enter(*state, key, kind, {below->stack_pointer, below->call_site, 0}, ticks);
    });
    return current == state; // otherwise there was no memory
}

bool is_open(const ThreadState& state, std::uint64_t key) {
    const vfd::Frame* frame = state.top;
    while (frame > state.frames && state.nodes[frame->node].key != key)
        --frame;
    return frame != state.frames;
}

Left leave_here(std::uint64_t key, std::uint64_t ticks, std::uint64_t stack_pointer, Above above) {
    ThreadState* state = ready_thread(Wanted::Leave, stack_pointer);
    if (!state) {
        if (current->guard == GuardPaused && is_own(*current))
            leave_named_paused(*current, key);
        return Left::Ignored;
    }
    hold_guard(*state, stack_pointer);
    if (!is_open(*state, key) && !on_current_stack(*state, stack_pointer))
        switch_to_stack(*state, stack_pointer, Unknown::StaysAway);
    if (!is_open(*state, key)) {
        release_guard(*state);
        return Left::NotOpen;
    }
    base::preserving_errno([&] {
        if (ticks != 0)
            ticks = std::max(ticks, latest(*state));
        take_slow_path_if_subscribed(*state);
        if (state->nodes[state->top->node].key == key)
            return leave_top<Plain::Lax>(*state, ticks);
        if (ticks == 0)
            ticks = base::read_ticks();
        if (above == Above::Gone)
            leave_inner_frame(*state, key, 0, false, ticks);
        else
            leave_named_frame(*state, key, ticks);
        release_guard(*state);
    });
    return Left::Matched;
}

// Where `key` occurs already on the path of the node, in the tree of any thread.
CallInstance earlier_place(NodeOfThread node, std::uint64_t key) {
    for (node = resolve(node); node.id != 0 && node.id != vfd::NoNode; node = resolve(node)) {
        const vfd::Node& at = node.thread->nodes[node.id];
        if (at.key == key)
            return {node.thread->record->index, node.id, 0};
        node.id = at.parent;
    }
    return {vfd::NoThread, vfd::NoNode, 0};
}

CallInstance place_below_top(ThreadState& state, std::uint64_t key) {
    std::uint32_t caller = state.top->node;
    std::uint32_t id = state.children.find(state.nodes, caller, key);
    if (id == ChildTable::NotThere) {
        if (CallInstance earlier = earlier_place({&state, caller}, key); earlier.thread != vfd::NoThread)
            return earlier;
        id = create_callee(state, caller, key, NodeKind::OpenMp);
    }
    return id == 0 ? CallInstance{vfd::NoThread, vfd::NoNode, 0} : CallInstance{state.record->index, id, 0};
}

inline std::uint64_t or_here(std::uint64_t stack_pointer, void* here) {
    return stack_pointer != 0 ? stack_pointer : reinterpret_cast<std::uint64_t>(here);
}

} // namespace

bool enter_construct(std::uint64_t key, std::uint64_t ticks, std::uint64_t stack_pointer) {
    return enter_here(key, NodeKind::OpenMp, ticks, or_here(stack_pointer, __builtin_dwarf_cfa()));
}

Left leave_construct(std::uint64_t key, std::uint64_t ticks) {
    return leave_here(key, ticks, reinterpret_cast<std::uint64_t>(__builtin_dwarf_cfa()), Above::Gone);
}

CallInstance place_of_construct(std::uint64_t key, std::uint64_t stack_pointer) {
    stack_pointer = or_here(stack_pointer, __builtin_dwarf_cfa());
    ThreadState* state = begin_event(stack_pointer);
    if (!state)
        return {vfd::NoThread, vfd::NoNode, 0};
    return base::preserving_errno([&] {
        if (!on_current_stack(*state, stack_pointer))
            switch_to_stack(*state, stack_pointer, Unknown::Begins);
        drop_what_is_gone(*state, stack_pointer, 0);
        forget_unloaded_if_any(*state);
        const CallInstance place = place_below_top(*state, key);
        release_guard(*state);
        return place;
    });
}

bool begin_attributed_work(const CallInstance& place, bool again) {
    if (place.thread == vfd::NoThread ||
        !enter_here(key_of(place), NodeKind::AttributedWork, 0, reinterpret_cast<std::uint64_t>(__builtin_dwarf_cfa())))
        return false;
    if (again)
        --current->nodes[current->top->node].calls;
    return true;
}

void end_attributed_work(const CallInstance& place, std::uint64_t ticks, Above above) {
    leave_here(key_of(place), ticks, reinterpret_cast<std::uint64_t>(__builtin_dwarf_cfa()), above);
}

std::uint64_t cut_out_here() { return current->record->preempted + current->record->one_time_work; }

void count_team(const CallInstance& region, std::uint32_t threads, std::uint64_t ticks) {
    ThreadState& state = *materialized_thread();
    if (!is_ready(state) || region.thread == vfd::NoThread)
        return;
    hold_guard(state, reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)));
    if (vfd::Team* team = state.teams.at({region.thread, region.node}, state.record->index)) {
        ++team->regions;
        team->threads += threads;
        team->largest = std::max(team->largest, threads);
        team->ticks += ticks;
    }
    release_guard(state);
}

void mark_worker() {
    if (ThreadState* state = begin_event(reinterpret_cast<std::uint64_t>(__builtin_dwarf_cfa()))) {
        state->record->flags |= vfd::ThreadOpenMp;
        release_guard(*state);
    }
}

} // namespace vftr::record
