// SPDX-License-Identifier: BSD-3-Clause
//
// The wrapper of syscall(). Calls that execute a program are handled like exec (exec.hpp), the recorder is informed of
// those that fork (record/threads/forked_path.hpp), and all others go on to the C library's syscall() unchanged. To
// leave them unchanged, the wrapper consists of a few comparisons and a jump, which touch neither the stack nor a
// register whose value a function has to keep. A C function would have a stack frame, and a clone or vfork that returns
// on another stack would not find it there. On other machines than x86-64 and AArch64 the wrapper is a plain function
// of six arguments.
#pragma once

namespace vftr::follow {

// Sets the function to which all other calls go. Until then they go directly to the kernel.
void pass_system_calls_to(long (*real)(long, ...));

} // namespace vftr::follow
