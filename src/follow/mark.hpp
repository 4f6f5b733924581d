// SPDX-License-Identifier: BSD-3-Clause
//
// Says in the recording's header that its process ends here, by exec or _exit. Everything else is in the file already:
// a few stores into a mapping, allowed in signal handlers and while other threads record.
#pragma once

namespace vftr::follow {

// The recording is complete up to now, and its process becomes another program (state Executed). For a process whose
// ProcessRole is Recorded. False: there is nothing to mark; its recording has ended or is in memory only.
bool mark_executed();
// The exec has failed. Pairs with each mark_executed() that was true: several threads may be at it.
void undo_executed();

// State Exited, the end, and the status. Does nothing in other than recorded processes.
void mark_exited(int status);
// Likewise where nobody tells the status (quick_exit).
void mark_left();

} // namespace vftr::follow
