// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace vftr::session {

// True in a signal handler that interrupted the program in the middle of malloc or the like: whoever allocates now may
// wait for ever, or destroy the heap. May miss what has no unwind tables, or a handler that blocks no signal.
bool allocator_is_interrupted();

// True where the program's malloc or the like is further out on this stack, in a signal handler or not: an allocator
// that is instrumented calls hooks. May miss what has no unwind tables. Costs some microseconds. find_allocator looks
// where these functions are, once, and may wait for the dynamic linker; before that nothing is found.
bool allocator_is_on_the_stack();
void find_allocator();

} // namespace vftr::session
