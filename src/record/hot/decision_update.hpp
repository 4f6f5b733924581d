// SPDX-License-Identifier: BSD-3-Clause
//
// Changed filter decisions, and triggers.
//
// Decisions change while the program runs: by vftrace_exclude, by the rank that becomes known in MPI_Init, or because
// functions prove tiny and hot. The tree of a thread is its own, so each thread brings it up to date in its next slow
// path, which is requested as for a pause. A function that is excluded now also loses its frames: once its hook calls
// are patched out of the code, no leave would come for them. From then on its time belongs to its caller. Frames on a
// stack that the thread has left for another (left_stacks.hpp) stay, and are dropped when a function further out
// leaves.
#pragma once

#include "base/compiler.hpp"
#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"

namespace vftr::record {

// Brings the thread's tree up to date. It is the last act of an event but for the guard, as it may drop any frame that
// the caller knows.
VFTR_COLD void follow_decisions(ThreadState& state, std::uint64_t now);
inline void follow_decisions_if_changed(ThreadState& state, std::uint64_t now) {
    if (VFTR_UNLIKELY(state.decisions_seen != recorder.decision_changes.count()) && stays_ready(state))
        follow_decisions(state, now);
}
// The same at once, for the calling thread, which must have begun and whose guard must be held.
void follow_decisions_here();

// Called for a function whose path is marked as a trigger: starts or stops the recording as the trigger says.
VFTR_COLD void obey_trigger(ThreadState& state, std::uint64_t function);
// Called for a function while the whole process is paused, as it may be a trigger that ends the pause. The thread's
// guard is Paused.
VFTR_COLD void look_for_trigger(ThreadState& state, std::uint64_t function);

} // namespace vftr::record
