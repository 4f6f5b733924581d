// SPDX-License-Identifier: BSD-3-Clause
//
// Functions that are not recorded.
//
// Whether a function is recorded is decided once, when a path to it is to be made: for the plain event it is a property
// of the node that the callee's lookup finds anyway (Node::countdown), and costs nothing where everything is recorded.
// All calls of a function that are not recorded in a thread lead to one node (vfd::NodeUnrecorded): a filter that
// leaves ten functions of a large program has ten paths in the tree, not a million empty ones. What such a function
// calls is a callee of the innermost function that is recorded.
//
// Decisions change while the program runs (vftrace_exclude, the rank that is learnt in MPI_Init, functions that prove
// tiny and hot). The tree of a thread is its own; so the thread brings it up to date in the next slow path, for which
// it is asked like for a pause. A function that is not recorded any more loses its frames as well: once its hooks are
// taken out of the text no leave would come for them. The time that it still takes is its caller's from then on. Frames
// on a stack that the thread has left for another (left_stacks.hpp) stay, and are dropped when a function further out
// leaves.
#pragma once

#include "base/compiler.hpp"
#include "record/recorder.hpp"

namespace vftr::record {

inline std::uint8_t decision_on(std::uint64_t function) {
    const auto ask = recorder.settings.decision_on;
    return ask ? ask(function) : 0;
}

// Whether a call of this function from the path `parent` is to leave no trace.
bool is_unrecorded(const ThreadState& state, std::uint32_t parent, std::uint64_t key);

// The decision on this function has changed (or on several, see ChangedFunctions): at the next event of every thread.
void decision_has_changed(std::uint64_t function);
// Part of an event, as its last act but for the guard: no frame that the caller knows may be there any more.
VFTR_COLD void follow_decisions(ThreadState& state, std::uint64_t now);
inline void follow_decisions_if_changed(ThreadState& state, std::uint64_t now) {
    if (VFTR_UNLIKELY(state.decisions_seen != recorder.decision_changes.count()) && state.recording_state == GuardReady)
        follow_decisions(state, now);
}
// For the calling thread, at once; it must have begun, and its guard be held.
void follow_decisions_here();

// The function of a trigger has been called, and its path says so.
VFTR_COLD void obey_trigger(ThreadState& state, std::uint64_t function);
// A function is called while all is paused: it may be the one that ends the pause. The thread's guard says Paused.
VFTR_COLD void look_for_trigger(ThreadState& state, std::uint64_t function);

} // namespace vftr::record
