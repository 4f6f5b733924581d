// SPDX-License-Identifier: BSD-3-Clause
//
// vftrace_pause and vftrace_resume.
//
// A pause holds for the whole process. The calling thread stops recording at once, the others at their next event,
// because the pausing thread sets their `slow_path_deadline`. While a thread's guard is Paused, its hooks only pop the
// frames of functions that leave, so that the shadow stack is right when recording resumes, wherever in the program
// that is. The time of the pause is charged to a node "vftrace_pause" under the path where it began, and so to no
// function.
#pragma once

#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"

namespace vftr::record {

void pause_all();
void resume_all();
// Both act at once on the calling thread, which must have begun.
void pause_here();
void resume_here();

// Pauses the thread if a pause is in force. Part of an event; the guard becomes Paused when the event ends
// (release_guard).
void pause_thread(ThreadState& state, std::uint64_t now);
inline void pause_if_asked(ThreadState& state, std::uint64_t now) {
    if (recorder.paused.load(std::memory_order_relaxed))
        pause_thread(state, now);
}
// Called for an event while the guard is Paused. True if the pause is over: the guard is Ready again.
bool resume_if_over(ThreadState& state);
// Handles the leave of a function while the thread is paused.
void leave_paused(ThreadState& state, std::uint64_t key, std::uint64_t stack_pointer, bool jumped);
// Handles the end of a region while the thread is paused.
void leave_named_paused(ThreadState& state, std::uint64_t key);
// Charges the time of a pause in force up to now, so that a reader does not take it for time of the open functions. For
// the calling thread, with its guard held.
void charge_pause_here();
// Ends a pause in force, for a thread that ends. Part of an event.
void end_pause(ThreadState& state, std::uint64_t now);

} // namespace vftr::record
