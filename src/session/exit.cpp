// SPDX-License-Identifier: BSD-3-Clause
//
// The end of the process, as late as possible: a destructor of the library runs after the program's atexit
// handlers and static destructors (shared library: after the whole executable; static: priority 101 is last).
#include "session/finalize.hpp"

namespace {

__attribute__((destructor(101))) void at_exit() { vftr::session::finalize(); }

} // namespace
