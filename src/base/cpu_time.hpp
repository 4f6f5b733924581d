// SPDX-License-Identifier: BSD-3-Clause
//
// CPU times that the kernel counts, in ns; negative: it does not tell. By system calls of our own (system_call.hpp).
#pragma once

#include <cstdint>

namespace vftr::base {

double process_cpu_ns();
double thread_cpu_ns();                  // of the calling thread
double thread_cpu_ns(std::uint32_t tid); // of a thread of this process

} // namespace vftr::base
