// SPDX-License-Identifier: BSD-3-Clause
//
// What happens when an object is unloaded (dlclose).
//
// A thread finds its call paths by the addresses of functions. When an object is unloaded and another is loaded at its
// addresses, these would lead to paths of functions that do not exist any more. So every thread must remove the paths
// of the unloaded object before the first function of the other object is called. But the table belongs to its thread,
// and events must not become slower.
//
// Only dlclose is interposed; dlopen is not, as it finds the caller's RUNPATH by its return address. After the real
// dlclose, the modules are compared with the loaded objects. If one is gone, the slow path is requested for all
// threads, as for a pause, so the hooks need no further check. On the slow path the thread removes the paths. This very
// event may have been the first call into the new object, and may have been counted for a function of the old one; then
// it is moved to the right path, since a function that is being called cannot be in an unloaded object.
//
// Removed paths become dormant nodes. When the object is loaded again at the same address (Modules gives it its record
// back), they are revived: a plugin that is loaded a thousand times has its call paths once.
//
// Known limit: if one thread closes an object, and another loads the next one at its addresses before the first has
// returned from dlclose, events in between count for the unloaded object.
#pragma once

#include "base/compiler.hpp"
#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"

namespace vftr::record {

// Called before objects may be unloaded: makes room for dormant nodes. Memory that is mapped afterwards might take the
// addresses of the object and keep it from being loaded there again. errno may change.
void modules_may_go();
// Called when objects may have been unloaded, while this process is recorded; not within a hook.
void modules_may_be_gone();

// Returns the id of the object at this address, as Modules::find does. If the object was unloaded before and is loaded
// again, decisions that were made about its functions meanwhile hold from now on, also in threads that have not noticed
// that it was gone.
std::uint16_t find_module(std::uint64_t address);

// Makes the paths of unloaded objects dormant. Part of an event.
VFTR_COLD void forget_unloaded(ThreadState& state);
inline bool forget_unloaded_if_any(ThreadState& state) {
    if (VFTR_LIKELY(state.unloads_seen == recorder.modules.unloads()))
        return false;
    forget_unloaded(state);
    return true;
}
// Moves the call that has just been counted to the right path, if its function was in an unloaded object.
VFTR_COLD void correct_entered_path(ThreadState& state);

// Revives the dormant path of this function called from `parent` by putting it back into the table; 0: there is none.
std::uint32_t revive_node(ThreadState& state, std::uint32_t parent, std::uint64_t key, vfd::NodeKind kind);

} // namespace vftr::record
