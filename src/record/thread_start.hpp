// SPDX-License-Identifier: BSD-3-Clause
//
// Threads that have been created and have no event yet.
//
// A thread begins its recording at its first event, but who created it, where and when is known only to its creator, at
// the time of the creation. The creator writes that down in a ThreadStart and starts the thread with it. There it is
// the thread's closed state (what `current` points to) until the thread begins or ends, so that it takes no room in
// thread-local storage, and a hook learns of it only when it finds the guard held anyway.
//
// They come from memory of the kernel and are used again; no lock, since a signal handler may begin a thread in the
// midst of it. A forked child finds them wiped: the creators of its threads are in its parent's recording.
#pragma once

#include "record/thread_state.hpp"

namespace vftr::record {

using StartRoutine = void* (*)(void*);

struct ThreadStart {
    ThreadState state; // closed
    vfd::ThreadOrigin origin;
    StartRoutine start;
    void* argument;
    std::uint32_t number; // from 1
    std::uint32_t next_free;
};

// By the creator, for a thread that it is about to create with `function`, which is called as start(argument). nullptr
// where nothing can be told to it: no memory, or nobody would tell us of its end. Only while the process is recorded.
ThreadStart* create_thread_start(const void* function, StartRoutine start, void* argument);
// It could not be created.
void cancel_thread_start(ThreadStart* thread_start);

// By the new thread, as the first thing it does: in a build for ThreadSanitizer before that knows of the thread.
struct EnteredThread {
    StartRoutine start;
    void* argument;
};
EnteredThread enter_thread(ThreadStart* thread_start);

// Where the calling thread comes from, which begins now.
vfd::ThreadOrigin take_origin();

// In a forked child.
void forget_thread_starts();

} // namespace vftr::record
