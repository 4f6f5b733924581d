// SPDX-License-Identifier: BSD-3-Clause
//
// How the calling process relates to the recording that is set up in its memory. This is determined anew at every exec:
// a child of vfork shares the memory of a process that goes on, and a forked child has a copy of everything but the
// recording.
#pragma once

#include <sys/types.h>

namespace vftr::follow {

enum class ProcessRole {
    Unrecorded,  // nothing was recorded here, nor in the process that this one was forked from
    Recorded,    // the recording is this process's own
    ForkedChild, // forked from a recorded process, has recorded nothing itself; the parent's file is not mapped
    Borrowed,    // a child of vfork or clone(CLONE_VM): the recording and all memory are another process's
};

// Called once, when the library is loaded.
void prepare_process_role();
ProcessRole process_role();

// True in the process in which the library was loaded, false in processes that were forked from it.
bool is_the_one_loaded();

// True only if the memory certainly belongs to this process, so that what it maps is gone when this process ends.
bool memory_is_own();

pid_t own_pid(); // always asks the kernel

} // namespace vftr::follow
