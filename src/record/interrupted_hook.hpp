// SPDX-License-Identifier: BSD-3-Clause
//
// A signal handler that interrupted a hook calls fork, and returns in the child as well: the hook goes on there, with
// pointers to the thread's state, call tree and stack. None of that is in a child of fork (session/begin.cpp). So the
// forking thread then copies what its hook may still touch, and the child puts the copies at the same addresses, as
// private memory: the hook ends there as it would have, nothing of it reaches the parent's file, and its thread's guard
// is held behind it.
//
// Done where the guard says that a hook is under way, and where a signal is blocked, as in handlers: a hook that has
// been called and does not hold its guard yet cannot be told. Costs some 10 µs, and 1 ms per 4 MiB of call tree.
#pragma once

namespace vftr::record {

struct ThreadState;

// Before the fork, on the thread whose hook is under way; and after it in the parent.
void copy_hooks_memory(const ThreadState& state);
void drop_hooks_memory();
// In the child, before anything else; does nothing where nothing was copied.
void restore_hooks_memory();

} // namespace vftr::record
