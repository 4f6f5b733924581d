// SPDX-License-Identifier: BSD-3-Clause
//
// What keeps us from changing the text of this process (patch.hpp).
#pragma once

namespace vftr::patch {

// In a few words, for a message; nullptr: nothing. Some system calls, with a page of memory for a moment.
const char* obstacle();

// A debugger or another tracer is attached now. Asked before each change: it may have come later.
bool is_traced();

} // namespace vftr::patch
