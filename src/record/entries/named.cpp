// SPDX-License-Identifier: BSD-3-Clause
#include "record/entries/named.hpp"

#include "base/errno_preserved.hpp"
#include "record/hot/enter_leave.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/pause.hpp"
#include "record/stacks/stacks.hpp"
#include "record/threads/forked_path.hpp"
#include "record/threads/shared_thread.hpp"
#include "record/timing/one_time_work_scope.hpp"

namespace vftr::record {

using vfd::NodeKind;

namespace {
// Frame::hook_site of all MPI calls; no instruction has this address.
constexpr std::uint32_t MpiSite = 1;
} // namespace

std::uint64_t intern(const char* name, NodeKind kind) {
    auto here = reinterpret_cast<std::uint64_t>(__builtin_dwarf_cfa());
    const ThreadState* thread = materialized_thread();
    if (thread->guard == GuardOff && (thread == &refused_state || !prepare(Wanted::Enter, here)))
        return 0;
    std::string_view text = name ? name : "";
    std::uint64_t key = recorder.names.known(text, kind);
    // A new name takes a lock. It must not be taken in a signal handler that has interrupted a hook, as that hook may
    // be holding it.
    const ThreadState& state = *materialized_thread();
    if (key == 0 && (is_ready(state) || state.guard == GuardPaused)) {
        const base::ErrnoPreserved preserved;
        const OneTimeWork work;
        HeldGuard held;
        key = recorder.names.intern(text, kind);
    }
    return key;
}

namespace {

__attribute__((noinline)) bool enter_any_named(ThreadState& state, std::uint64_t key, NodeKind kind,
                                               std::uint64_t stack_pointer) {
    // Functions that were called from the same position on the stack are gone if their frames lie deeper. If an MPI
    // call has the stack position at which the next one is called, it has not returned (an error handler jumped out of
    // it).
    std::uint32_t hook_site = kind == NodeKind::Mpi ? MpiSite : 0;
    if (!on_current_stack(state, stack_pointer))
        switch_to_stack(state, stack_pointer, Unknown::Begins);
    if (stack_pointer > state.top->stack_pointer ||
        (stack_pointer == state.top->stack_pointer && hook_site != 0 && state.top->hook_site == hook_site))
        drop_dead_frames(state, stack_pointer, 0, hook_site);
    // A region lives as long as the function that contains it, not as long as a wrapper that began it.
    if (kind == NodeKind::Region)
        stack_pointer = state.top->stack_pointer;
    std::uint32_t call_site = state.top->stack_pointer == stack_pointer ? state.top->call_site : 0;
    take_slow_path_if_subscribed(state);
    enter(state, key, kind, {stack_pointer, call_site, hook_site});
    return true;
}

} // namespace

bool enter_named(std::uint64_t key, NodeKind kind, std::uint64_t stack_pointer) {
    ThreadState* state = ready_thread(Wanted::Enter, stack_pointer);
    if (!state || key == 0)
        return false;
    hold_guard(*state, stack_pointer);
    return enter_any_named(*state, key, kind, stack_pointer);
}

Left leave_named(std::uint64_t key) {
    auto here = reinterpret_cast<std::uint64_t>(__builtin_dwarf_cfa());
    ThreadState* state = ready_thread(Wanted::Leave, here);
    if (!state) {
        if (current->guard == GuardPaused && is_own(*current))
            leave_named_paused(*current, key);
        else if (current->guard == GuardOff)
            leave_inherited(key, here, false);
        return Left::Ignored;
    }
    hold_guard(*state, here);
    take_slow_path_if_subscribed(*state);
    if (!on_current_stack(*state, here))
        switch_to_stack(*state, here, Unknown::StaysAway);
    if (state->nodes[state->top->node].key == key) {
        leave_top<Plain::Lax>(*state);
        return Left::Matched;
    }
    Left left = leave_named_frame(*state, key, base::read_ticks());
    release_guard(*state);
    return left;
}

namespace {

VFTR_COLD bool enter_mpi_on_slow_path(ThreadState& state, std::uint64_t now) {
    slow_path_enter(state, now);
    return true;
}
// Where a reading of the clock is a call.
__attribute__((noinline)) bool enter_mpi_by_call(ThreadState& state, std::uint32_t id, std::uint64_t stack_pointer) {
    push_call<Plain::Lax>(state, id, {stack_pointer, 0, MpiSite});
    return true;
}
__attribute__((noinline)) void leave_mpi_by_call(ThreadState& state) { leave_top<Plain::Lax>(state); }

VFTR_COLD bool enter_mpi_otherwise(std::uint64_t key, std::uint64_t stack_pointer) {
    return enter_named(key, NodeKind::Mpi, stack_pointer);
}
VFTR_COLD void leave_mpi_otherwise(ThreadState& state, std::uint64_t key) {
    release_guard(state);
    leave_named(key);
}

} // namespace

// The plain case needs no stack frame: the call path is known, and the caller's frame is alive.
bool enter_mpi(std::uint64_t key, std::uint64_t stack_pointer) {
    ThreadState& state = *current;
    if (VFTR_UNLIKELY(state.guard != GuardReady))
        return enter_mpi_otherwise(key, stack_pointer);
    hold_guard(state, stack_pointer);
    const vfd::Frame* const top = state.top;
    std::uint32_t id;
    if (VFTR_UNLIKELY(stack_pointer >= top->stack_pointer || stack_pointer < state.stack_low ||
                      !state.children.find_at_home(state.nodes, top->node, key, id) || top + 1 == state.frames_end ||
                      state.nodes[id].countdown != 0 || state.stream & StreamNamed || may_be_stale(*top)))
        return enter_any_named(state, key, NodeKind::Mpi, stack_pointer);
    if (!base::counter_is_trusted())
        return enter_mpi_by_call(state, id, stack_pointer);
    std::uint64_t now;
    if (VFTR_UNLIKELY(push_frame<Plain::Strict>(state, id, {stack_pointer, 0, MpiSite}, 0, now)))
        return enter_mpi_on_slow_path(state, now);
    release_guard(state);
    return true;
}

void leave_mpi(std::uint64_t key, std::uint64_t ended) {
    const auto here = reinterpret_cast<std::uint64_t>(__builtin_dwarf_cfa());
    ThreadState& state = *current;
    if (VFTR_UNLIKELY(state.guard != GuardReady)) {
        leave_named(key);
        return;
    }
    hold_guard(state, here);
    const vfd::Frame* const top = state.top;
    if (VFTR_UNLIKELY(state.stream & StreamNamed || !on_current_stack(state, here) ||
                      state.nodes[top->node].key != key))
        return leave_mpi_otherwise(state, key);
    // A signal handler may have run since, or one-time work may have moved the frame's begin.
    const bool usable = state.stream == StreamNone && ended >= top->enter + top->child;
    if (!usable && !base::counter_is_trusted())
        return leave_mpi_by_call(state);
    leave_top<Plain::Strict>(state, usable ? ended : 0);
}

OpenCall mpi_call_state(std::uint64_t stack_pointer) {
    ThreadState* state = materialized_thread();
    if (state->guard == GuardOff)
        return OpenCall::Gone;
    if (is_ready(*state) && !on_current_stack(*state, stack_pointer)) {
        HeldGuard held;
        switch_to_stack(*state, stack_pointer, Unknown::StaysAway);
    }
    for (const vfd::Frame* frame = state->top; frame > state->frames; --frame)
        if (frame->hook_site == MpiSite && frame->stack_pointer == stack_pointer)
            return frame == state->top ? OpenCall::Innermost : OpenCall::Covered;
    return OpenCall::Gone;
}

} // namespace vftr::record
