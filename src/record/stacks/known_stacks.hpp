// SPDX-License-Identifier: BSD-3-Clause
//
// What the library can find out about the ranges of machine stacks, see stacks.hpp. For hooks: no malloc, no locks;
// errno may change.
#pragma once

#include "record/hot/thread_state.hpp"

namespace vftr::record {

// The calling thread's own stack. Its lower end is that of a stack of the usual size. `grows` is true for the stack of
// the process's first thread, of which only the used part is mapped.
StackRange find_own_stack(bool& grows);

// Finds the mapping that contains an address. False: there is none, or /proc cannot be read.
bool find_mapping(std::uint64_t address, StackRange& mapping);

// Whether the word at an address may itself be an address in machine code, as a return address is, and whether there
// may be readable memory at all. False: certainly not.
bool may_hold_text_address(std::uint64_t address);
bool may_be_readable(std::uint64_t address);

// The stacks of contexts that were entered, for all threads. The latest 4096 are remembered; of overlapping ones the
// latest counts.
void remember_known_stack(const StackRange& range);
bool find_known_stack(std::uint64_t stack_pointer, StackRange& range);

} // namespace vftr::record
