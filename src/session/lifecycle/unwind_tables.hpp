// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace vftr::session {

// Lets the library's unwinder find the library's unwind tables if it would not find them by itself (unwind_static.cpp).
// Until this was called, an exception within the library ends the program.
void register_unwind_tables();

} // namespace vftr::session
