// SPDX-License-Identifier: BSD-3-Clause
#include "record/hot/reentrancy_guard.hpp"

#include "base/errno_preserved.hpp"
#include "base/message.hpp"
#include "base/signal_mask.hpp"
#include "record/observers.hpp"
#include "record/pause.hpp"
#include "record/stacks/known_stacks.hpp"
#include "record/stacks/stacks.hpp"
#include "record/threads/forked_path.hpp"
#include "record/threads/shared_thread.hpp"
#include "record/threads/thread_lifetime.hpp"

#include <csignal>

namespace vftr::record {

__thread ThreadState* current __attribute__((tls_model("initial-exec"))) = &closed_state;
ThreadState closed_state{};
ThreadState refused_state{};

namespace {

// After so many events in a row that seem to be nested in one hook, the hook's return address is looked for on the
// stack, and again after as many more.
constexpr std::uint32_t LongestHandler = 1 << 16;

bool on_alternate_stack() {
    stack_t stack;
    return sigaltstack(nullptr, &stack) == 0 && (stack.ss_flags & SS_ONSTACK);
}

// A number that changes with everything that a hook records.
std::uint64_t progress(const ThreadState& state) {
    return state.record->last + state.nodes[state.top->node].calls + reinterpret_cast<std::uint64_t>(state.top) +
           state.guard;
}

// If a hook is taken to be gone but is not, it continues on a state that has changed meanwhile; at worst it writes to
// memory that is unmapped. So a hook counts as alive while its return address may still be on the stack: below the
// guard's address for a hook, above it where the guard is the address of a frame.
bool may_be_returned_to(std::uint64_t guard) {
#if defined(__x86_64__)
    return may_hold_text_address(guard - sizeof guard) || may_hold_text_address(guard + sizeof guard);
#else
    // The position of the return address on the stack is not known.
    return may_be_readable(guard);
#endif
}

bool has_run_for_long(const ThreadState& state) {
    return state.dropped_in_a_row != 0 && state.dropped_in_a_row % LongestHandler == 0;
}

// The guard holds the stack pointer of a hook's caller. Returns whether that hook is still on the stack, further out
// than the present one. A handler that has left the hook for another stack may return to it. The hook may have been
// left before the shadow stack was that of its stack.
bool hook_is_alive(const ThreadState& state, std::uint64_t stack_pointer) {
    if (state.subscription.calls & 1) { // a callback may call any number of functions
        const bool look_closely = state.dropped_in_a_row % LongestHandler == LongestHandler - 1;
        return observers.callback_is_there(stack_pointer, look_closely) || on_alternate_stack();
    }
    if (stack_pointer < state.guard ||
        !(is_on_shadow_stack(state, stack_pointer) || are_on_one_stack(state, state.guard, stack_pointer)))
        return !has_run_for_long(state) || may_be_returned_to(state.guard);
    return on_alternate_stack();
}

ThreadState* begin(Wanted wanted) {
    Phase phase = recorder.phase.load(std::memory_order_acquire);
    if (phase == Phase::Off || phase == Phase::Ended || wanted == Wanted::Leave)
        return nullptr;
    if (current == &refused_state || fork_is_under_way())
        return nullptr;
    // A signal handler that jumps out would leave the thread or the process without a recording forever.
    base::InterruptionsDeferred blocked;
    return observers.begin_if_due() ? begin_thread() : nullptr;
}

// Counts how often `node` is on the shadow stack, and sets its count of open calls to that, as it is while no hook is
// running.
void recount_open(ThreadState& state, std::uint32_t node) {
    std::uint32_t open = 0;
    for (const vfd::Frame* frame = state.frames; frame <= state.top; ++frame)
        open += frame->node == node;
    state.nodes[node].open = open;
}

// The abandoned hook may have stopped between changing a node's count of open calls and changing the frame: the
// innermost frame, for a call that was about to end, or the one above it, for a call that was about to begin.
void repair_open_counts(ThreadState& state) {
    recount_open(state, state.top->node);
    if (state.top + 1 < state.frames_end)
        recount_open(state, state.top[1].node);
}

void abandon_hook(ThreadState& state) {
    state.dropped_in_a_row = 0;
    if (state.subscription.calls & 1)
        observers.abandon_callback(state);
    repair_open_counts(state);
    state.pairs_may_be_missing = true;
    // How far the hook got in the stream is not known. So the stream continues in a new segment, which begins with the
    // open entries (events.cpp).
    state.event_end = state.event_next;
    ++state.event_sequence;
    state.enters_at_end.count = 0;
    complete_frames(state);
    release_guard(state);
}

// A handler may interrupt this, and several tasks may be here where the thread is shared.
void count(std::uint64_t& events) { __atomic_fetch_add(&events, 1, __ATOMIC_RELAXED); }

ThreadState* take_up(ThreadState& state, Wanted wanted, std::uint64_t stack_pointer) {
    std::uint64_t mark = progress(state);
    if (mark != state.dropped_mark)
        state.dropped_in_a_row = 0;
    state.dropped_mark = mark;
    if (hook_is_alive(state, stack_pointer)) {
        ++state.dropped_in_a_row;
        if (state.subscription.calls & 1) {
            count(state.subscription.nested);
            return nullptr;
        }
        count(state.record->dropped);
        if (wanted == Wanted::Enter)
            count(state.record->dropped_calls);
        return nullptr;
    }
    abandon_hook(state);
    return &state;
}

} // namespace

void leave_hook_by_jump(ThreadState& state, std::uint64_t stack_pointer) {
    if (state.guard > GuardShared && !(state.subscription.calls & 1) && stack_pointer >= state.guard &&
        are_on_one_stack(state, state.guard, stack_pointer))
        abandon_hook(state);
}

void close_current_thread() {
    if (current != &closed_state)
        current->guard = GuardOff;
    current = &closed_state;
}

void refuse_current_thread() {
    close_current_thread();
    current = &refused_state;
    recorder.refused_threads.fetch_add(1, std::memory_order_relaxed);
    static std::atomic_flag warned = ATOMIC_FLAG_INIT;
    if (!warned.test_and_set())
        base::warn("no memory, or too many threads at once: not all threads are recorded");
}

namespace {

ThreadState* prepared(Wanted wanted, std::uint64_t stack_pointer) {
    ThreadState* state = current;
    if (!is_own(*state)) {
        if (wanted == Wanted::Enter)
            count(state->record->shared_calls);
        return nullptr;
    }
    switch (state->guard) {
    case GuardOff:
        return begin(wanted);
    case GuardReady:
    case GuardShared:
        return state;
    case GuardPaused:
        return resume_if_over(*state) ? state : nullptr;
    default:
        if (in_count_only_call(*state)) {
            materialize_frame(*state);
            return state;
        }
        state = take_up(*state, wanted, stack_pointer);
        if (state && state->guard == GuardOff) // in a forked child (interrupted_hook.hpp)
            state = begin(wanted);
        return state && state->guard == GuardPaused && !resume_if_over(*state) ? nullptr : state;
    }
}

} // namespace

ThreadState* prepare(Wanted wanted, std::uint64_t stack_pointer) {
    return base::preserving_errno([&] { return prepared(wanted, stack_pointer); });
}

} // namespace vftr::record
