// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace vftr::session {

// Writes the recording so far as a complete file of its own. Returns why that failed; "": it did not. Called with the
// guard held, on a stack of the library with 8 MiB.
std::string write_snapshot(const char* path);

} // namespace vftr::session
