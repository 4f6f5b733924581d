// SPDX-License-Identifier: BSD-3-Clause
#include "record/stacks/stacks.hpp"

#include "base/clock.hpp"
#include "base/compiler.hpp"
#include "base/errno_preserved.hpp"
#include "record/hot/frames.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/observers.hpp"
#include "record/stacks/known_stacks.hpp"
#include "record/stacks/left_stacks.hpp"
#include "record/stream/events.hpp"

#include <algorithm>
#include <csignal>

namespace vftr::record {

using vfd::Frame;

namespace {

// See stacks.hpp. Stacks of fibers are rarely smaller than 32 KiB, and calls on them begin at their upper end.
constexpr std::uint64_t Gap = 16384;
// The first function that is seen on a stack may have been called from deeper than a later one.
constexpr std::uint64_t Above = 4096;

void set_range(ThreadState& state, StackRange range) {
    state.stack_low = range.low;
    state.stack_high = range.high;
    state.frames->stack_pointer = range.high; // the root is above all other frames
}

LeftStacks* stacks_of(ThreadState& state) {
    if (!state.stacks)
        state.stacks = LeftStacks::create(state.own_stack);
    return state.stacks;
}

const StackRange& base_range(const ThreadState& state) {
    return state.stacks ? state.stacks->current().range : state.own_stack;
}

// Moves the frames from the shadow stack to `stack`.
void save_frames(ThreadState& state, LeftStack& stack, LeftStacks& stacks, std::uint64_t now) {
    auto count = static_cast<std::uint32_t>(state.top - state.frames);
    bool kept = stacks.make_room(stack, count);
    if (kept)
        std::copy(state.frames + 1, state.top + 1, stack.frames);
    asm volatile("" ::: "memory"); // the copy is complete before `count` is set (complete_frames)
    stack.count = kept ? count : 0;
    // To callbacks, the calls move as regions do that outlive their function.
    state.subscription.moving = kept;
    while (state.top > state.frames)
        if (kept) {
            log_leave_of_top(state, now);
            pop_frame(state, now);
        } else {
            vanish_frame(state, now);
        }
    state.subscription.moving = false;
}

// Moves the frames of `stack` that are not on the shadow stack yet back to it.
void restore_frames(ThreadState& state, LeftStack& stack, std::uint64_t now) {
    for (auto i = static_cast<std::uint32_t>(state.top - state.frames); i < stack.count; ++i) {
        if (state.top + 1 == state.frames_end && !grow_frames(state)) {
            state.record->vanished += stack.count - i;
            break;
        }
        Frame* frame = state.top + 1;
        *frame = stack.frames[i];
        frame->child = 0;
        const bool told = frame->flags & vfd::FrameReported && state.stream & StreamCallbacks;
        frame->flags &= ~std::uint32_t{vfd::FrameLogged | vfd::FrameReported};
        if (!(frame->flags & vfd::FrameFolded))
            frame->enter = now;
        ++state.nodes[frame->node].open;
        state.top = frame;
        if (state.stream & StreamAll) {
            log_enter_of(state, frame->node, now);
            frame->flags |= vfd::FrameLogged;
        }
        state.subscription.moving = true;
        if (told)
            observers.dispatch_enter(state, now);
        state.subscription.moving = false;
    }
    stack.count = 0;
}

void change_to(ThreadState& state, LeftStacks& stacks, std::uint32_t index) {
    std::uint64_t now = base::read_ticks();
    save_frames(state, stacks.current(), stacks, now);
    stacks.set_current(index);
    set_range(state, stacks.current().range);
    restore_frames(state, stacks.current(), now);
    state.record->last = now;
    publish_depth(state);
}

// Returns from an alternate stack, whose handlers have returned or jumped out.
void end_nested(ThreadState& state, const StackRange& range) {
    while (state.top > state.frames && !range.holds(state.top->stack_pointer))
        vanish_frame(state, base::read_ticks());
    set_range(state, range);
    publish_depth(state);
}

bool on_alternate_stack(std::uint64_t stack_pointer, StackRange& range) {
    stack_t stack;
    if (sigaltstack(nullptr, &stack) != 0 || !(stack.ss_flags & SS_ONSTACK))
        return false;
    range.low = reinterpret_cast<std::uint64_t>(stack.ss_sp);
    range.high = range.low + stack.ss_size;
    return range.holds(stack_pointer);
}

// Looks up the lower end of the thread's own stack, where it differs from that of a usual stack or has to be exact.
// Once per thread.
void make_sure_of_own(ThreadState& state) {
    StackRange mapping;
    if (state.own_stack_is_sure || !find_mapping(state.own_stack.high - 1, mapping))
        return;
    state.own_stack_is_sure = true;
    std::uint64_t low = state.own_stack_grows ? std::min(mapping.low, state.own_stack.low) : mapping.low;
    if (state.stack_low == state.own_stack.low)
        state.stack_low = low;
    state.own_stack.low = low;
    if (state.stacks)
        state.stacks->change_own_low(low);
}

// True on a stack of unknown size if the address is not far below the innermost frame; extends the range then.
bool is_deeper_here(ThreadState& state, std::uint64_t stack_pointer) {
    if (!state.stacks || state.stacks->current().exact || state.top == state.frames)
        return false;
    LeftStack& current = state.stacks->current();
    if (stack_pointer >= current.range.low || state.top->stack_pointer - stack_pointer >= Gap)
        return false;
    current.range.low = std::max(stack_pointer - Gap, state.stacks->end_below(current.range.low));
    set_range(state, current.range);
    return current.range.holds(stack_pointer);
}

// Adds the stack of an address on which no frame was seen yet. None: there is no such stack.
std::uint32_t find_new_stack(ThreadState& state, std::uint64_t stack_pointer, Unknown unknown) {
    if (unknown == Unknown::StaysAway || !stacks_of(state))
        return LeftStacks::None;
    StackRange range;
    bool exact = find_known_stack(stack_pointer, range);
    if (!exact)
        range = {stack_pointer - std::min(stack_pointer, Gap), stack_pointer + Above};
    return state.stacks->add(range, exact, stack_pointer, state.record->vanished);
}

bool settle(ThreadState& state, std::uint64_t stack_pointer, Unknown unknown) {
    if (stack_pointer < state.own_stack.low)
        make_sure_of_own(state);
    const StackRange base = base_range(state);
    if (base.holds(stack_pointer)) {
        end_nested(state, base);
        return true;
    }
    std::uint32_t index = state.stacks ? state.stacks->find(stack_pointer) : LeftStacks::None;
    if (index == LeftStacks::None) {
        StackRange range;
        if (on_alternate_stack(stack_pointer, range)) {
            state.stack_low = range.low; // the root's frame keeps its stack pointer
            state.stack_high = range.high;
            return true;
        }
        if (is_deeper_here(state, stack_pointer))
            return true;
        index = find_new_stack(state, stack_pointer, unknown);
    }
    if (index == LeftStacks::None)
        return false;
    change_to(state, *state.stacks, index);
    return true;
}

} // namespace

void begin_stacks(ThreadState& state) {
    state.own_stack = find_own_stack(state.own_stack_grows);
    state.own_stack_is_sure = false;
    if (state.stacks)
        state.stacks->reset(state.own_stack);
    set_range(state, state.own_stack);
}

void end_stacks(ThreadState& state) {
    if (state.stacks)
        state.record->vanished += state.stacks->reset(state.own_stack);
}

bool is_on_shadow_stack(const ThreadState& state, std::uint64_t address) {
    return on_current_stack(state, address) || base_range(state).holds(address);
}

bool are_on_one_stack(const ThreadState& state, std::uint64_t first, std::uint64_t second) {
    if (is_on_shadow_stack(state, first) && is_on_shadow_stack(state, second))
        return true;
    const std::uint32_t index = state.stacks ? state.stacks->find(first) : LeftStacks::None;
    return index != LeftStacks::None && index == state.stacks->find(second);
}

void complete_frames(ThreadState& state) {
    state.subscription.moving = false;
    if (!state.stacks || state.stacks->current().count == 0)
        return;
    restore_frames(state, state.stacks->current(), base::read_ticks());
    set_range(state, state.stacks->current().range);
    publish_depth(state);
}

void adopt_stack_of_frames(ThreadState& state) {
    if (state.top == state.frames || state.own_stack.holds(state.top->stack_pointer) || !stacks_of(state))
        return;
    std::uint64_t low = state.top->stack_pointer, high = low;
    for (const Frame* frame = state.frames + 1; frame <= state.top; ++frame) {
        low = std::min(low, frame->stack_pointer);
        high = std::max(high, frame->stack_pointer);
    }
    std::uint64_t vanished = 0;
    std::uint32_t index =
        state.stacks->add({low - std::min(low, Gap), high + Above}, false, state.top->stack_pointer, vanished);
    if (index == LeftStacks::None)
        return;
    state.stacks->set_current(index);
    set_range(state, state.stacks->current().range);
}

VFTR_COLD bool switch_to_stack(ThreadState& state, std::uint64_t stack_pointer, Unknown unknown) {
    return base::preserving_errno([&] { return settle(state, stack_pointer, unknown); });
}

VFTR_COLD void arrive_at(std::uint64_t stack_pointer) {
    ThreadState& state = *materialized_thread();
    if (!is_ready(state))
        leave_hook_by_jump(state, stack_pointer);
    if (!is_ready(state))
        return;
    HeldGuard held;
    if (!on_current_stack(state, stack_pointer)) {
        const StackRange& base = base_range(state);
        // The jump goes to another stack: the program may jump back to the calls on this one.
        if (!base.holds(stack_pointer))
            return;
        end_nested(state, base);
    }
    drop_dead_frames(state, stack_pointer, 0, 0);
}

void context_is_entered(std::uint64_t low, std::uint64_t high) {
    remember_known_stack({low, high});
    if (!is_ready(*materialized_thread()))
        return;
    HeldGuard held;
    ThreadState& state = *current;
    const StackRange own = state.own_stack;
    if (!state.own_stack_grows && low < own.high && own.low < high)
        make_sure_of_own(state); // a thread with a smaller stack than usual
}

} // namespace vftr::record
