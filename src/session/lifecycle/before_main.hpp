// SPDX-License-Identifier: BSD-3-Clause
//
// Has main begun? What constructors of static objects call is not recorded unless include_cxx_prelude says so.
//
// No symbol is looked up for that: executables are stripped, and main need not be instrumented. The shared library
// interposes __libc_start_main and passes the C library a main of its own that says so and calls the program's
// (before_main_shared.cpp). The static one has a constructor without priority, which runs after those of the objects
// before it on the linker's command line, that is, of the program (before_main_static.cpp).
#pragma once

namespace vftr::session {

// Any thread, any time; cheap.
bool main_has_begun();

} // namespace vftr::session
