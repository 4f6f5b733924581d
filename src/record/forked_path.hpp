// SPDX-License-Identifier: BSD-3-Clause
//
// The call path of a thread that forks goes on in the child.
//
// What the child has of its parent's recording is nothing: the file's mappings are not inherited and the threads'
// states are wiped, so that no kind of fork can write into the parent's file. So the thread that is about to fork
// copies its open path (functions and named entries, with the texts of their names) into plain private memory, which
// the child inherits like any other. The child's first thread makes the same call paths in its own tree, with no calls
// counted, and puts the frames on its shadow stack as if they had been entered at the moment of the fork
// (FrameInherited). Functions that return before the child's first enter are noted in the copy, with plain stores: a
// child that only returns and ends costs nothing.
//
// Who announces a fork: pthread_atfork's handler, so all of fork(3); the wrapper of syscall() for raw system calls. A
// fork that nobody announces begins with an empty path.
//
// Limits. Of a shadow stack deeper than MostFrames the innermost frames are taken: the callers below them are in the
// child's tree, but their leaves match nothing there. A path of more than MostNodes different call paths, or with more
// text than there is room for, is begun empty.
//
// Price: a few stores for each open function in the parent, and a page that is copied when both write to it.
#pragma once

#include "base/clock.hpp"
#include "record/thread_state.hpp"

#include <cstdint>

namespace vftr::record {

// Once per process: registers the handlers of fork. Needs the memory of an atfork handler from the C library.
void watch_forks();

// Before a fork of the calling thread that no handler is told of, after it in the parent (also where it failed), and in
// the child. Safe in signal handlers.
void remember_path();
void forget_path();
void arrive_in_child();

// In a forked child, on the thread that lives on: the moment of the fork; nullptr where nobody announced it. Until the
// thread has begun.
const base::Moment* moment_of_fork();
// In the child between its fork and the end of fork(3)'s handlers, when the C library may hold its own locks: nothing
// begins then.
bool fork_is_under_way();

// Makes the remembered path that of `state`, which has just begun with the moment of the fork.
void inherit_path(ThreadState& state);

// A leave in a forked child whose recording has not begun.
void leave_inherited(std::uint64_t key, std::uint64_t stack_pointer, bool jumped);

// The thread ends.
void free_remembered_path();

} // namespace vftr::record
