// SPDX-License-Identifier: BSD-3-Clause
//
// Threads that have been created and have had no event yet.
//
// A thread begins its recording at its first event, but only its creator knows who created it, where and when. The
// creator writes that to a ThreadStart and starts the thread with it. In the new thread the ThreadStart is the closed
// state (to which `current` points) until the thread begins or ends. So it takes no room in thread-local storage, and a
// hook finds it only when the guard is not Ready anyway.
//
// ThreadStarts lie in memory from the kernel and are reused. There is no lock, since a signal handler may begin a
// thread in the middle of an operation. In a forked child they are wiped: the creators of its threads are in its
// parent's recording.
#pragma once

#include "record/hot/thread_state.hpp"

namespace vftr::record {

using StartRoutine = void* (*)(void*);

struct ThreadStart {
    ThreadState state; // always closed
    vfd::ThreadOrigin origin;
    StartRoutine start;
    void* argument;
    std::uint32_t number; // counts from 1
    std::uint32_t next_free;
};

// Called by the creator of a thread that is about to be created for `function`, which is called as start(argument).
// nullptr where this is not possible: there is no memory, or the end of the thread would not be reported. Only while
// the process is recorded.
ThreadStart* create_thread_start(const void* function, StartRoutine start, void* argument);
// Called if the thread could not be created.
void cancel_thread_start(ThreadStart* thread_start);

// Called by the new thread as the first thing it does; in a build for ThreadSanitizer this is before TSan knows the
// thread.
struct EnteredThread {
    StartRoutine start;
    void* argument;
};
EnteredThread enter_thread(ThreadStart* thread_start);

// Where the calling thread, which now begins, comes from.
vfd::ThreadOrigin take_origin();

// For a forked child.
void forget_thread_starts();

} // namespace vftr::record
