// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace vftr::session {

// True in a signal handler that interrupted the program in the middle of malloc or the like: whoever allocates now may wait
// for ever, or destroy the heap. May miss what has no unwind tables, or a handler that blocks no signal.
bool allocator_is_interrupted();

} // namespace vftr::session
