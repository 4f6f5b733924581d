// SPDX-License-Identifier: BSD-3-Clause
//
// syscall(): the calls that execute a program are ours, those that fork are noted (record/threads/forked_path.hpp), and
// all others go on to the C library's as they came. "As they came" is meant literally: the entry is a few comparisons
// and a jump, which touch no stack and no register that the function may not change. A C function would have a frame,
// and a clone or vfork that returns on another stack must not find one. Machines that are not known here get a plain
// function of six arguments.
#pragma once

namespace vftr::follow {

// Before this is called, the kernel itself is asked.
void pass_system_calls_to(long (*real)(long, ...));

} // namespace vftr::follow
