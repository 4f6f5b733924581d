// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the names of functions in an object that is being closed. They are looked up before it is unloaded and not at
// the end of the run: a plugin may be built again in the meantime, and then the symbols of its first build are lost.
// They are not looked up after it was unloaded either, as what is mapped for that may get the object's addresses and
// keep it from being loaded there again. Objects that are unloaded with it, as only it needed them, are named at the
// end.
#pragma once

#include <cstdint>

namespace vftr::session {

// Called when the calling thread is about to close the object with this load bias. The object may stay loaded, if it is
// open elsewhere. If there are new call paths in it since it was last closed, this allocates, looks at all call paths,
// and reads the object's file if some of its functions have no name yet. errno may change.
void name_closed(std::uint64_t bias);

} // namespace vftr::session
