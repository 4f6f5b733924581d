// SPDX-License-Identifier: BSD-3-Clause
//
// vftrace_shutdown: no new calls begin, calls under way are drained, the last callback receives the totals, and the
// recording ends.
//
// Which thread finishes: outside of callbacks the caller waits until no call is under way and then finishes, or waits
// for the thread that does. Within a callback it must not wait (registration.hpp); instead the thread whose call is the
// last to end finishes, before its hook returns. Both ways lead through finish_if_last, where only one thread succeeds.
#pragma once

namespace vftr::embed {

// Returns a vftrace_status.
int shut_down();
// To be called at the end of the process. If shut_down was not called, it does the same, but waits only for a limited
// time for threads that do not return from a callback.
void end_delivery();
// To be called if the calling thread ends within the very last callback.
void finisher_leaves();
// To be called in a forked child: a thread of the parent that was about to finish does not exist there.
void forget_finisher();

} // namespace vftr::embed
