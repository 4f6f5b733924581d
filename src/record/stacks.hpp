// SPDX-License-Identifier: BSD-3-Clause
//
// Machine stacks: which one a thread stands on, and the frames of those that it has left and may come back to.
//
// A thread may run on other stacks than its own: fibers (swapcontext, Boost.Context, assembly code), and signal
// handlers on an alternate stack. Nobody tells us of a switch, but every hook knows its stack pointer, and the thread's
// state the range of the stack that the thread is on. A hook outside of that range calls settle_on_stack; that, and the
// range's lower end in one compare of the plain hooks, is all that a switch costs. (Wrapping the functions that switch
// would miss those that are inlined assembly code.)
//
// A signal handler on an alternate stack is a call: its frames stand above those that it interrupted. The kernel says
// whether a stack pointer is on that stack.
//
// Any other stack is a fiber. Its functions are called by nobody that stands on another stack: who resumes a fiber
// changes from time to time, and paths by way of one another would grow without end. So a fiber's call paths begin
// below the root, as a thread's do, and all fibers with the same functions have the same paths. When a thread leaves a
// stack, the frames on it are left in the tree as well: their time is charged and runs on when the thread comes back.
// They are kept here meanwhile, in memory of the thread, which a program that is killed then does not show as open.
// Time on a stack is so that of the functions on it, and the times of all paths still add up to that of the thread. A
// fiber that moves to another thread begins anew there: its calls were counted where they began, their leaves are
// ignored.
//
// How far a stack reaches. The thread's own: from the C library; a thread with a larger stack than usual is looked up
// in /proc/self/maps when it gets there. A context of makecontext: its creator wrote it down (context_is_entered). Of
// others nothing is known but the stack pointers that were seen there: what lies less than `Gap` below the innermost
// frame is a call on the same stack, and what lies further away is another stack. A function with a larger frame on
// such a stack is so taken for another fiber's: its count is right, its path begins below the root.
#pragma once

#include "record/thread_state.hpp"

#include <cstdint>

namespace vftr::record {

inline bool on_current_stack(const ThreadState& state, std::uint64_t stack_pointer) {
    return stack_pointer - state.stack_low < state.stack_high - state.stack_low;
}

// The calling thread begins, with the root's frame: which stack is its own, and that it is there. What the state's last
// thread left is given up.
void begin_stacks(ThreadState& state);
// The thread ends: what was left on other stacks never returns.
void end_stacks(ThreadState& state);

// Whether the stack that an address is on is the one whose frames are on the shadow stack, or an alternate stack above
// it.
bool is_on_shadow_stack(const ThreadState& state, std::uint64_t address);
// Whether two addresses are certainly on one stack of the thread, be it that of the frames or one that it has left.
bool are_on_one_stack(const ThreadState& state, std::uint64_t first, std::uint64_t second);

// The hook that was under way is gone, perhaps in the midst of a change of stacks: all frames of the stack that it
// left, or came to, are there. Guard held.
void complete_frames(ThreadState& state);

// The thread is on a stack of which nothing is known but the frames that are on the shadow stack.
void stand_on_stack_of_frames(ThreadState& state);

// A hook's stack pointer is not on the current stack: the shadow stack becomes that of the stack which it is on. Guard
// held. false, and nothing has changed: that stack is not known and shall stay away, or there is no memory. errno is
// kept.
enum class Unknown { Begins, StaysAway };
bool settle_on_stack(ThreadState& state, std::uint64_t stack_pointer, Unknown unknown);

// What was called deeper than this on its stack is gone, by longjmp or by an exception that is caught here: closes it
// at once, while a later hook might stand so deep that it looks like its callee; a hook that the jump leaves ends here,
// too. Of the calling thread, at any time.
void arrive_at(std::uint64_t stack_pointer);

// A context is about to run on the stack [low, high). Any thread, at any time.
void context_is_entered(std::uint64_t low, std::uint64_t high);

} // namespace vftr::record
