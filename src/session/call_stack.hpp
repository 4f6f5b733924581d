// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace vftr::session {

// The calling thread's call path, "f<main<init", from malloc. "" when nothing is recorded; nullptr without memory.
char* current_call_path();

} // namespace vftr::session
