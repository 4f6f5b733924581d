// SPDX-License-Identifier: BSD-3-Clause
//
// Threads that still live when the recording ends. They may not have called a hook for long, since they wait or compute
// in a function that calls none.
#pragma once

namespace vftr::record {

// Takes their CPU time from the kernel, so that readers know how long they waited (ThreadRecord::cpu_until). Called at
// the end, when no thread records any more.
void take_cpu_of_living_threads();

} // namespace vftr::record
