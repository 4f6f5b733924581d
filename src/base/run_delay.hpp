// SPDX-License-Identifier: BSD-3-Clause
//
// How long the calling thread has been ready to run and had no core.
#pragma once

#include <cstdint>

namespace vftr::base {

// Nanoseconds since the thread began, from /proc/thread-self/schedstat (kernel:
// Documentation/scheduler/sched-stats.rst); 0 where the kernel does not tell. Some microseconds. No malloc, no lock;
// sets no errno.
std::uint64_t run_delay_ns();

} // namespace vftr::base
