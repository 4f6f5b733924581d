// SPDX-License-Identifier: BSD-3-Clause
//
// Names of functions in an object that is being closed. They are looked up before it goes, not at the end: a plugin may
// be built again in the meantime, and then nobody has the symbols of its first build any more. And not after it has
// gone, as what is mapped then comes to where it was and keeps it from coming back there. Objects that go with it, as
// only it needed them, are named at the end.
#pragma once

#include <cstdint>

namespace vftr::session {

// The calling thread is about to close the object with this load bias, which may stay, as others have it open. Where
// there are new call paths in it since it was closed before: allocates, looks at all call paths, and reads the object's
// file where functions of it have no name yet. errno may change.
void name_closed(std::uint64_t bias);

} // namespace vftr::session
