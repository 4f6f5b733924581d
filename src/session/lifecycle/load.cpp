// SPDX-License-Identifier: BSD-3-Clause
//
// What is done when the library is loaded, in every program, recorded or not; so it must be cheap. One constructor does
// all of it, because the order of several with the same priority is the linker's. Its priority is the first that a
// program can use, so that it runs before the program's own constructors, which may close stderr, fork, execute another
// program or end.
//
// The order matters. Nothing may throw before the unwind tables are registered, and stderr is remembered before
// anything can warn. follow/ maps memory that is wiped by fork; where a handler of fork does the wiping, it has to be
// registered before the recorder's handler. In a forked child, the program's handlers of fork run after those of the
// library, so that their calls are recorded. At exit, the program's handlers run before that of the library, as they
// may call exit once more with another status.
//
// Other constructors have no priority: those of flow/jump_entries.cpp and interpose/close_entries.cpp only look up
// functions, which can be done at any time before main; and that of before_main_static.cpp has to run after the
// program's constructors (before_main.hpp).
#include "follow/load.hpp"
#include "base/message.hpp"
#include "base/race_detectors.hpp"
#include "follow/mark.hpp"
#include "record/threads/forked_path.hpp"
#include "session/lifecycle/finalize.hpp"
#include "session/lifecycle/unwind_tables.hpp"
#include "symbols/elf_file.hpp"

#include <cstdlib>

namespace {

__attribute__((constructor(101))) void at_load(int, char**, char** envp) {
    vftr::session::register_unwind_tables();
    vftr::base::remember_stderr();
    vftr::follow::load(envp);
    vftr::base::hide_static_objects_from_race_detectors();
    vftr::symbols::ElfFile::prepare();
    vftr::record::watch_forks();
    vftr::session::watch_exit();
    at_quick_exit(vftr::follow::mark_left);
}

} // namespace
