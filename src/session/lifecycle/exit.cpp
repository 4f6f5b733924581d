// SPDX-License-Identifier: BSD-3-Clause
//
// Ends the recording as late as possible: the destructor of the library runs after the program's atexit handlers and
// static destructors (in the shared library, after all of the executable's; in the static one, priority 101 is last).
//
// Handlers of exit are called in the reverse order of their registration, and so are the destructors of shared
// libraries, which the C library registers when it starts the program: after the constructors of libraries. In the
// shared library the handler is therefore registered once more just before main.
//
// quick_exit runs neither handlers of exit nor destructors; the recording then stays as it is, and its header says that
// the process has exited (follow::mark_left).
#include "session/lifecycle/finalize.hpp"

extern "C" int on_exit(void (*function)(int, void*), void* argument) __attribute__((weak)); // exists in glibc only

namespace {

void keep_status(int status, void*) { vftr::session::keep_exit_status(status); }

__attribute__((destructor(101))) void at_exit() { vftr::session::finalize(); }

} // namespace

void vftr::session::watch_exit() {
    if (&on_exit)
        on_exit(keep_status, nullptr);
}
