// SPDX-License-Identifier: BSD-3-Clause
//
// How a thread that is created learns where it comes from (record/threads/thread_start.hpp): it starts in a few
// instructions of ours that fetch that and jump to what the program wants it to start with. So there is no frame of
// ours on its stack: pthread_exit, cancellation, exceptions that leave the thread and backtraces find what they would
// find without us.
#pragma once

#include "record/threads/thread_start.hpp"

extern "C" __attribute__((visibility("hidden"))) void* vftr_start_thread(void* thread_start);

namespace vftr::session {

// nullptr where the thread is to be started as the program says: nothing is recorded, or nothing can be told to it.
record::ThreadStart* create_thread_start(const void* function, record::StartRoutine start, void* argument);

} // namespace vftr::session
