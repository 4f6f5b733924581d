// SPDX-License-Identifier: BSD-3-Clause
//
// vftrace_shutdown: the guard is held, calls under way are drained, the last callback tells the totals, the recording
// ends.
//
// Who finishes. Outside callbacks a caller waits until no call is under way and then finishes, or waits for the one
// that does. Within a callback it must not wait (registration.hpp): the thread whose call is the last to end finishes
// instead, before its hook returns. Both come by finish_if_last, and one of them gets through.
#pragma once

namespace vftr::embed {

// Returns a vftrace_status.
int shut_down();
// At the end of the process, where shut_down was not called: the same, but threads that do not come back from a
// callback are waited for only so long.
void end_delivery();
// The calling thread ends within the last callback of all.
void finisher_leaves();
// In a forked child: the thread that was about to finish is not there.
void forget_finisher();

} // namespace vftr::embed
