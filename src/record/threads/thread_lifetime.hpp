// SPDX-License-Identifier: BSD-3-Clause
//
// Begin and end of a thread's recording.
#pragma once

namespace vftr::record {

struct ThreadState;

// Creates a state for the calling thread, with its root frame, and sets `current`. Returns nullptr without memory, or
// where too many threads live at once: the thread is then refused.
ThreadState* begin_thread();
// Closes the calling thread's frames and puts its record on the idle list.
void end_thread(ThreadState* state);

// Asks the C library to report ending threads. Called once per process, before the first thread.
bool prepare_thread_ends();
bool ends_are_reported();
// Has the end of the calling thread reported; `state` is what `current` points to.
void dispatch_end_of(ThreadState* state);

} // namespace vftr::record
