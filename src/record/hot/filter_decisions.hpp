// SPDX-License-Identifier: BSD-3-Clause
//
// Functions that are not recorded.
//
// Whether a function is recorded is decided once, when a path to it is to be made. For the plain event the filter
// decision is a property of the node that the lookup of the callee finds anyway (Node::countdown), so it costs nothing
// where everything is recorded. All calls of a function that is not recorded lead to one node per thread
// (vfd::NodeUnrecorded): with a filter that leaves ten functions of a large program, the tree has ten paths, not a
// million empty ones. The callees of such a function count as callees of the innermost recorded function.
//
// Decisions change while the program runs: by vftrace_exclude, by the rank that becomes known in MPI_Init, or because
// functions prove tiny and hot. The tree of a thread is its own, so each thread brings it up to date in its next slow
// path, which is requested as for a pause. A function that is excluded now also loses its frames: once its hook calls
// are patched out of the code, no leave would come for them. From then on its time belongs to its caller. Frames on a
// stack that the thread has left for another (left_stacks.hpp) stay, and are dropped when a function further out
// leaves.
#pragma once

#include "base/compiler.hpp"
#include "record/recorder.hpp"

namespace vftr::record {

inline std::uint8_t decision_on(std::uint64_t function) {
    const auto ask = recorder.settings.decision_on;
    return ask ? ask(function) : 0;
}

// True if calls of this function from the path `parent` are not recorded.
bool is_unrecorded(const ThreadState& state, std::uint32_t parent, std::uint64_t key);

// Announces that the decision on this function has changed (or on several, see ChangedFunctions); every thread follows
// it at its next event.
void decision_has_changed(std::uint64_t function);
// Brings the thread's tree up to date. It is the last act of an event but for the guard, as it may drop any frame that
// the caller knows.
VFTR_COLD void follow_decisions(ThreadState& state, std::uint64_t now);
inline void follow_decisions_if_changed(ThreadState& state, std::uint64_t now) {
    if (VFTR_UNLIKELY(state.decisions_seen != recorder.decision_changes.count()) && state.recording_state == GuardReady)
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
