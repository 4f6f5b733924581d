// SPDX-License-Identifier: BSD-3-Clause
//
// Functions that are not recorded.
//
// Whether a function is recorded is decided once, when a path to it is to be made. For the plain event the filter
// decision is a property of the node that the lookup of the callee finds anyway (Node::countdown), so it costs nothing
// where everything is recorded. All calls of a function that is not recorded lead to one node per thread
// (vfd::NodeUnrecorded): with a filter that leaves ten functions of a large program, the tree has ten paths, not a
// million empty ones. The callees of such a function count as callees of the innermost recorded function.
// decision_update.hpp tells how a thread follows decisions that change.
#pragma once

#include "base/compiler.hpp"
#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"

namespace vftr::record {

inline std::uint8_t decision_on(std::uint64_t function) {
    const auto ask = recorder.settings.decision_on;
    return ask ? ask(function) : 0;
}

// Whether the function is excluded in this thread, on every path.
bool is_excluded(const ThreadState& state, std::uint8_t decision);
// Whether calls of the function may start or stop the recording.
bool is_trigger(std::uint64_t key);

// Announces that the decision on this function has changed (or on several, see ChangedFunctions); every thread follows
// it at its next event.
void decision_has_changed(std::uint64_t function);

} // namespace vftr::record
