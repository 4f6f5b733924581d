// SPDX-License-Identifier: BSD-3-Clause
//
// What can be known of the ranges of machine stacks, see stacks.hpp. For hooks: no malloc, no locks; errno may change.
#pragma once

#include "record/thread_state.hpp"

namespace vftr::record {

// The calling thread's own. Its lower end is that of a stack of usual size; `grows`: it is that of the process's first
// thread, of which only what has been used is mapped.
StackRange find_own_stack(bool& grows);

// The mapping that an address lies in. false: there is none, or /proc cannot be read.
bool find_mapping(std::uint64_t address, StackRange& mapping);

// Whether the word at an address is itself one of program text, as a return address is; and whether there is anything.
// False: certainly not.
bool may_hold_text_address(std::uint64_t address);
bool may_be_readable(std::uint64_t address);

// Stacks that contexts were seen to have, for all threads. The latest 4096 are remembered; of those that overlap the
// latest counts.
void remember_known_stack(const StackRange& range);
bool find_known_stack(std::uint64_t stack_pointer, StackRange& range);

} // namespace vftr::record
