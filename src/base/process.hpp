// SPDX-License-Identifier: BSD-3-Clause
//
// Which process this is, as the kernel tells it. Open, read, close; no malloc, no locks: also in forked children. errno may change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace vftr::base {

// When the kernel started a process, in clock ticks since boot (field 22 of /proc/<pid>/stat): with the pid the identity of a
// process, which an exec does not change. 0: there is no such process, or no /proc.
std::uint64_t process_start(pid_t pid);

// The own command line as in /proc/self/cmdline: each argument 0-terminated, cut where it is longer than `room`. Returns the bytes,
// 0 where there is none.
std::size_t read_arguments(char* out, std::size_t room);

} // namespace vftr::base
