// SPDX-License-Identifier: BSD-3-Clause
//
// What the calling process is to the recording that is set up in its memory. Asked before every exec: a child of vfork
// has the memory of a process that goes on, and a forked child has a copy of everything but the recording.
#pragma once

#include <sys/types.h>

namespace vftr::follow {

enum class ProcessRole {
    Unrecorded,  // nothing was recorded here, nor where it was forked from
    Recorded,    // the recording is this process's own
    ForkedChild, // of a recorded process; has recorded nothing itself: its file is not mapped
    Borrowed,    // vfork, CLONE_VM: the recording is another process's, and so is all memory
};

// Once, when the library is loaded.
void prepare_process_role();
ProcessRole process_role();

// Nobody forked this process from one that the library was loaded in.
bool is_the_one_loaded();

// Memory is this process's own for certain: what is mapped here goes with this process.
bool memory_is_own();

pid_t own_pid(); // not from any cache

} // namespace vftr::follow
