// SPDX-License-Identifier: BSD-3-Clause
//
// At the end of the process its file gives back what its threads had room for and did not fill: up to
// sampling.outbuffer_size each.
//
// What is safe. The segments of threads that have ended are nobody's any more: the file ends at what is used of the
// last one, and of the others the disk gets its blocks back. Other threads run until the process is gone, and may be
// within a hook now. They are asked for a slow path, which finds that the recording has ended; until then a thread
// writes an event or two into its segment. So those keep their place in the file and some room behind what is used:
// much more than that.
#pragma once

namespace vftr::record {

// Instead of close_current_thread where the phase is Ended: the thread's segment counts as that of a thread that has
// ended.
void close_last_thread();

// Once the phase is Ended. Nothing is added to the file afterwards.
void shrink_file();

} // namespace vftr::record
