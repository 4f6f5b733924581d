// SPDX-License-Identifier: BSD-3-Clause
//
// Forks within an interrupted hook. If a signal handler that interrupted a hook calls fork, it returns in the child as
// well, and the hook continues there, with pointers to the thread's state, call tree and stack. None of these exists in
// a forked child (session/lifecycle/begin.cpp). So the forking thread first copies what its hook may still use, and the
// child puts the copies at the same addresses as private memory. The hook then ends there as it would have, nothing of
// it reaches the parent's file, and afterwards the thread's guard is 0, so that the next event begins the child's
// recording.
//
// This is done where the guard says that a hook is running, and where a signal is blocked, as it is in handlers: a hook
// that has been called but does not hold its guard yet cannot be recognised. It costs some 10 µs, and 1 ms per 4 MiB of
// call tree.
#pragma once

namespace vftr::record {

struct ThreadState;

// Before the fork, on the thread whose hook is running, and after the fork in the parent.
void copy_hooks_memory(const ThreadState& state);
void drop_hooks_memory();
// In the child, before anything else. Does nothing if nothing was copied.
void restore_hooks_memory();

} // namespace vftr::record
