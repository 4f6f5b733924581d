// SPDX-License-Identifier: BSD-3-Clause
//
// Whether main has begun. Calls by constructors of static objects, before main, are recorded only if
// include_cxx_prelude is set.
//
// No symbol is looked up for that: executables may be stripped, and main need not be instrumented. The shared library
// interposes __libc_start_main and passes the C library a main of its own, which notes that main has begun and calls
// the program's (before_main_shared.cpp). The static one has a constructor without priority, which runs after those of
// the objects before it on the linker's command line, that is, of the program (before_main_static.cpp).
#pragma once

namespace vftr::session {

// May be called by any thread at any time; cheap.
bool main_has_begun();

} // namespace vftr::session
