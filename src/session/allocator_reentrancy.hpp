// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace vftr::session {

// True in a signal handler that interrupted the program inside malloc or another function of the allocator: an
// allocation now may wait for ever, or destroy the heap. The check may miss functions without unwind tables, and
// handlers that block no signal.
bool allocator_is_interrupted();

// True if a function of the program's allocator has called the current one, directly or indirectly, in a signal handler
// or not: an instrumented allocator calls hooks. May miss functions without unwind tables. Takes some microseconds.
// find_allocator() looks up the addresses of these functions once, and may wait for the dynamic linker; before it was
// called, the result is false.
bool allocator_is_on_the_stack();
void find_allocator();

} // namespace vftr::session
