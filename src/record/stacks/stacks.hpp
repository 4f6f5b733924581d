// SPDX-License-Identifier: BSD-3-Clause
//
// Machine stacks: which one a thread runs on, and the frames of those that it has left and may return to.
//
// A thread may run on other stacks than its own: fibers (swapcontext, Boost.Context, assembly code), and signal
// handlers on an alternate stack. Nothing notifies the recorder of a switch, but every hook knows its stack pointer,
// and the thread's state has the range of the stack on which the thread runs. A hook outside of that range calls
// switch_to_stack. That, and one compare with the range's lower end in the plain hooks, is all that a switch costs.
// (Wrapping the functions that switch would miss those that are inlined assembly code.)
//
// A signal handler on an alternate stack is a call: its frames lie above those that it interrupted. The kernel tells
// whether a stack pointer is on that stack.
//
// Any other stack is a fiber. Its functions have no caller on another stack: the code that resumes a fiber changes over
// time, and paths that contain one another would grow without end. So a fiber's call paths begin below the root, as a
// thread's do, and all fibers with the same functions have the same paths. When a thread leaves a stack, the frames on
// it are also left in the tree: their time is charged, and continues when the thread comes back. Meanwhile they are
// kept here, in memory of the thread, so the file of a killed program does not show them as open. So the time on a
// stack is that of the functions on it, and the times of all paths still add up to that of the thread. A fiber that
// moves to another thread begins anew there: its calls were counted where they began, and their leaves are ignored.
//
// How the extent of a stack is found. The C library tells that of the thread's own stack; a larger stack than usual is
// looked up in /proc/self/maps when the thread gets beyond the usual size. The stack of a context made by makecontext
// is noted by its creator (context_is_entered). About other stacks only the stack pointers that were seen there are
// known: a stack pointer less than `Gap` below the innermost frame is a call on the same stack, and one further away is
// on another stack. On such a stack, a function with a larger frame is therefore taken for one of another fiber: its
// count is right, and its path begins below the root.
#pragma once

#include "record/hot/thread_state.hpp"

#include <cstdint>

namespace vftr::record {

inline bool on_current_stack(const ThreadState& state, std::uint64_t stack_pointer) {
    return stack_pointer - state.stack_low < state.stack_high - state.stack_low;
}

// Called when the calling thread begins, with the root's frame: finds its own stack and makes it the current one. What
// the previous thread of this state left on other stacks is dropped.
void begin_stacks(ThreadState& state);
// Called when the thread ends: functions that were left on other stacks never return.
void end_stacks(ThreadState& state);

// Whether an address is on the stack whose frames are on the shadow stack, or on an alternate stack above it.
bool is_on_shadow_stack(const ThreadState& state, std::uint64_t address);
// Whether two addresses are certainly on one stack of the thread: that of the shadow stack, or one that it has left.
bool are_on_one_stack(const ThreadState& state, std::uint64_t first, std::uint64_t second);

// Called when the hook that was running is gone, perhaps in the middle of a change of stacks: makes sure that all
// frames of the stack that it left, or came to, are on the shadow stack. The guard is held.
void complete_frames(ThreadState& state);

// Makes the stack that has the frames of the shadow stack the current one, for a thread on a stack of which nothing
// else is known.
void adopt_stack_of_frames(ThreadState& state);

// Called when a hook's stack pointer is not on the current stack: the shadow stack becomes that of the stack with this
// address. The guard is held. False, and nothing has changed: the stack is not known and `unknown` is StaysAway, or
// there is no memory. Keeps errno.
enum class Unknown { Begins, StaysAway };
bool switch_to_stack(ThreadState& state, std::uint64_t stack_pointer, Unknown unknown);

// Drops what was called deeper than this on its stack and is gone, by longjmp or by an exception that is caught here.
// This has to happen at once, as a later hook might be so deep that it looks like a callee; a hook that the jump leaves
// ends here, too. For the calling thread, at any time.
void arrive_at(std::uint64_t stack_pointer);

// Called when a context is about to run on the stack [low, high). Any thread, at any time.
void context_is_entered(std::uint64_t low, std::uint64_t high);

} // namespace vftr::record
