// SPDX-License-Identifier: BSD-3-Clause
//
// Writes into the recording's header that its process ends here, by exec or _exit. Everything else is in the file
// already, so this takes a few stores into a mapping, which are allowed in signal handlers and while other threads
// record.
#pragma once

namespace vftr::follow {

// Sets the state Executed: the recording is complete up to now, and its process becomes another program. Only for a
// process whose ProcessRole is Recorded. Returns false if there is nothing to mark, since the recording has ended or is
// in memory only.
bool mark_executed();
// Called when the exec has failed, once for each mark_executed() that returned true: several threads may be between the
// two at a time.
void undo_executed();

// Writes the state Exited, the time of the end, and the exit status. Does nothing unless ProcessRole is Recorded.
void mark_exited(int status);
// Does the same without an exit status, where it is not known (quick_exit).
void mark_left();

} // namespace vftr::follow
