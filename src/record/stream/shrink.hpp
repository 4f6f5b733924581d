// SPDX-License-Identifier: BSD-3-Clause
//
// Trim: at the end of the process, the file gives back the space that its threads reserved and did not fill, which is
// up to sampling.outbuffer_size for each.
//
// What is safe. The segments of threads that have ended have no writer any more: the file is cut behind the used part
// of the last one, and the disk blocks of the unused parts of the others are freed. Other threads run until the process
// is gone, and may be within a hook now. The slow path is requested for them, where they find that the recording has
// ended; until then a thread writes one or two more events to its segment. So these segments stay in the file, with
// room behind the used part for many more events than that.
#pragma once

namespace vftr::record {

// Replaces close_current_thread when the phase is Ended: the thread's segment counts as that of a thread that has
// ended.
void close_last_thread();

// Called once the phase is Ended. Nothing may be added to the file afterwards.
void shrink_file();

} // namespace vftr::record
