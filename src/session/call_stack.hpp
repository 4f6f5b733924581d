// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace vftr::session {

// Returns the calling thread's call path, such as "f<main<init", in memory from malloc: "" if nothing is recorded,
// nullptr if there is no memory.
char* current_call_path();

} // namespace vftr::session
