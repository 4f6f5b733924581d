// SPDX-License-Identifier: BSD-3-Clause
//
// The exec trace (processes.trace_path): CSV rows for each exec, spawn and fork, which help to find out why a program
// was not recorded.
//
// A row is written where nothing may fail or wait: between a program and its exec, and in children of vfork. So the
// file is opened for appending and without blocking, and no row is written if it is not a regular file or if another
// process has locked it. Only plain system calls are made; errno is preserved.
#pragma once

namespace vftr::follow {

struct TraceRow {
    const char* event; // exec-before exec-checkpoint-ok exec-checkpoint-failed exec-env-injected exec-env-unchanged
                       // exec-failed posix-spawn-ok posix-spawn-failed fork-child
    const char* path;  // of the program; nullptr: not known
    bool checkpoint_enabled;
    const char* checkpoint_result; // nullptr: none
    bool chain_enabled;
    const char* preload_action; // Plan::action; nullptr: none
    int result;
    int error; // errno
};

// Writes the row; does nothing if trace_path is nullptr or "".
void trace(const char* trace_path, const TraceRow& row);

} // namespace vftr::follow
