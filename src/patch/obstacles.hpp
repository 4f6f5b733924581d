// SPDX-License-Identifier: BSD-3-Clause
//
// Finds out what prevents changes to the machine code of this process (patch.hpp).
#pragma once

namespace vftr::patch {

// Returns the obstacle in a few words, for a message, or nullptr if there is none. It takes some system calls and maps
// a page for a moment.
const char* obstacle();

// Whether a debugger or another tracer is attached now. It is checked before each change, because a tracer may attach
// at any time.
bool is_traced();

} // namespace vftr::patch
