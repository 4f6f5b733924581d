// SPDX-License-Identifier: BSD-3-Clause
//
// What happens when an object is unloaded (dlclose).
//
// A thread knows its call paths by the address of the function. When an object has gone and another has come to its
// addresses, these would lead to the paths of functions that are not there any more. So every thread must forget the
// paths of the object that has gone, before the first function of the other is called. But its table is its own, and
// its events must not become dearer.
//
// Only dlclose is interposed; dlopen is not, as it finds the caller's RUNPATH by its return address. After the real
// dlclose the modules are compared with what is loaded. If one is gone, all threads are asked for the slow path at
// their next event, as for a pause: that is one more reason to do what they look for anyway. The thread then forgets
// the paths; and as this very event may have been the first call into the new object, and may have been counted for a
// function that is gone, it is moved to the right path: a function that is being called is not in an object that was
// unloaded.
//
// Forgotten paths sleep. When the object is loaded again to the same place (Modules gives it its record back), they are
// taken up again: a plugin that is loaded a thousand times has its call paths once.
//
// What remains: where one thread closes an object and another loads the next one to its place before the first has come
// back from dlclose, events in between count for the object that has gone.
#pragma once

#include "base/compiler.hpp"
#include "record/recorder.hpp"

namespace vftr::record {

// Objects are about to be unloaded: makes room for paths that will sleep, as what is mapped afterwards comes to where
// an object was, and keeps it from coming back there. errno may change.
void modules_may_go();
// Objects may have been unloaded. While this process is recorded; not within a hook.
void modules_may_be_gone();

// Part of an event.
VFTR_COLD void forget_unloaded(ThreadState& state);
inline bool forget_unloaded_if_any(ThreadState& state) {
    if (VFTR_LIKELY(state.unloads_seen == recorder.modules.unloads()))
        return false;
    forget_unloaded(state);
    return true;
}
// The call that has just been counted, if it went to a function that is gone.
VFTR_COLD void correct_entered_path(ThreadState& state);

// The sleeping path of this function called from `parent`, in the table again; 0: there is none.
std::uint32_t revive_node(ThreadState& state, std::uint32_t parent, std::uint64_t key, vfd::NodeKind kind);

} // namespace vftr::record
