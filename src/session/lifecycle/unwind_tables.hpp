// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace vftr::session {

// Lets the library's unwinder find the library's unwind tables where it would not find them by itself
// (unwind_static.cpp). Exceptions of the library end the program before this was called.
void register_unwind_tables();

} // namespace vftr::session
