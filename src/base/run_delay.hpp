// SPDX-License-Identifier: BSD-3-Clause
//
// Measures how long the calling thread has been ready to run without having a core.
#pragma once

#include <cstdint>

namespace vftr::base {

// Returns nanoseconds since the thread began, from its schedstat below /proc (kernel:
// Documentation/scheduler/sched-stats.rst), or 0 if the kernel does not report it. It takes some microseconds, uses
// neither malloc nor locks, and does not set errno.
std::uint64_t run_delay_ns();

} // namespace vftr::base
