// SPDX-License-Identifier: BSD-3-Clause
//
// What is done when the library is loaded, in every program, recorded or not: it must be cheap. One constructor does
// all of it, because the order of several with the same priority is the linker's. Its priority is the first that a
// program can use, so that it runs before the program's own constructors, which may close stderr, fork, execute another
// program or end.
//
// The order: nothing may throw before the unwind tables are registered; warnings go to the stderr of the start. follow/
// maps memory that forks wipe, and where a handler of fork does that, it has to be registered before the recorder's.
// The program's handlers of fork come after ours for the child, so that what they call is recorded; and those of exit
// before ours, as they may call exit once more with another status.
//
// Two constructors remain that have no priority: that of flow/jump_entries.cpp only looks functions up, at any time
// before main; and that of before_main_static.cpp has to run after the program's (before_main.hpp).
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
