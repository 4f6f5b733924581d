// SPDX-License-Identifier: BSD-3-Clause
//
// The end of the process, as late as possible: a destructor of the library runs after the program's atexit
// handlers and static destructors (shared library: after the whole executable; static: priority 101 is last).
//
// Handlers of exit are called in the reverse order of their registration, and so are the destructors of shared
// libraries, which the C library registers when it starts the program: after the constructors of libraries. In the
// shared library the handler is therefore registered once more just before main.
//
// quick_exit runs neither; the recording then stays as it is, and says that its process left.
#include "session/lifecycle/finalize.hpp"

extern "C" int on_exit(void (*function)(int, void*), void* argument) __attribute__((weak)); // only glibc has it

namespace {

void keep_status(int status, void*) { vftr::session::keep_exit_status(status); }

__attribute__((destructor(101))) void at_exit() { vftr::session::finalize(); }

} // namespace

void vftr::session::watch_exit() {
    if (&on_exit)
        on_exit(keep_status, nullptr);
}
