// SPDX-License-Identifier: BSD-3-Clause
//
// How a created thread learns from where it was created (record/threads/thread_start.hpp): it starts in a few
// instructions of the library that fetch this record and jump to the function which the program wants to be run. So no
// frame of the library is on its stack, and pthread_exit, cancellation, exceptions that leave the thread, and
// backtraces find the stack as it is without vftrace.
#pragma once

#include "record/threads/thread_start.hpp"

extern "C" __attribute__((visibility("hidden"))) void* vftr_start_thread(void* thread_start);

namespace vftr::session {

// Returns nullptr if the thread has to be created with the program's own function, since nothing is recorded or since
// there is no record to give to it.
record::ThreadStart* create_thread_start(const void* function, record::StartRoutine start, void* argument);

} // namespace vftr::session
