// SPDX-License-Identifier: BSD-3-Clause
//
// The exec trace (processes.trace_path): one CSV row per exec, spawn or fork, for those who ask why a program was not
// recorded.
//
// Written where nothing may go wrong or wait: between a program and its exec, in children of vfork. So a row goes to
// a file opened for appending, never blocking; anything but a regular file, and a file that somebody else has locked,
// gets none. Plain system calls only; errno is kept.
#pragma once

namespace vftr::follow {

struct TraceRow {
    const char* event; // exec-before exec-checkpoint-ok exec-checkpoint-failed exec-env-injected exec-env-unchanged
                       // exec-failed posix-spawn-ok posix-spawn-failed fork-child
    const char* path;  // of the program; nullptr: none
    bool checkpoint_enabled;
    const char* checkpoint_result; // nullptr: none
    bool chain_enabled;
    const char* preload_action; // as Plan::action; nullptr: none
    int result;
    int error; // errno
};

// trace_path nullptr: does nothing.
void trace(const char* trace_path, const TraceRow& row);

} // namespace vftr::follow
