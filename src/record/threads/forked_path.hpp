// SPDX-License-Identifier: BSD-3-Clause
//
// The call path of a thread that forks continues in the child.
//
// The child has nothing of its parent's recording: it does not inherit the mappings of the file, and the states of the
// threads are wiped, so that no kind of fork can write to the parent's file. Therefore the thread that is about to fork
// copies its open path (functions and named entries, with their names) to plain private memory, which the child
// inherits like any other. The child's first thread makes the same call paths in its own tree, with no calls counted,
// and puts the frames on its shadow stack as if they had been entered at the moment of the fork (FrameInherited). If
// functions return before the child's first enter, this is noted in the copy with plain stores, so a child that only
// returns and ends costs nothing.
//
// A fork is announced by the handler of pthread_atfork, which covers all uses of fork(3), and by the wrapper of
// syscall() for raw system calls. A fork that is not announced begins with an empty path.
//
// Limits. If the shadow stack is deeper than MostFrames, only its innermost frames are copied: the callers below them
// are in the child's tree, but their leaves match nothing there. A path with more than MostNodes different call paths,
// or with more bytes of names than there is room for, begins empty.
//
// Cost: a few stores for each open function in the parent, and the copy of a page when both processes write to it.
#pragma once

#include "base/clock.hpp"
#include "record/hot/thread_state.hpp"

#include <cstdint>

namespace vftr::record {

// Registers the handlers of fork, once per process. The C library allocates memory for them.
void watch_forks();

// For forks of the calling thread that call no handlers: before the fork, after it in the parent (also where it
// failed), and in the child. Safe in signal handlers.
void remember_path();
void forget_path();
void arrive_in_child();

// The moment of the fork, for the thread of a forked child that lives on, until it has begun. nullptr: the fork was not
// announced.
const base::Moment* moment_of_fork();
// True in the child between its fork and the end of the handlers of fork(3). No recording begins then, as the C library
// may hold its own locks.
bool fork_is_under_way();

// Makes the remembered path that of `state`, which has just begun with the moment of the fork.
void inherit_path(ThreadState& state);

// Handles a leave in a forked child whose recording has not begun.
void leave_inherited(std::uint64_t key, std::uint64_t stack_pointer, bool jumped);

// Frees the remembered path when the thread ends.
void free_remembered_path();

} // namespace vftr::record
