// SPDX-License-Identifier: BSD-3-Clause
#include "base/cpu_time.hpp"

#include "base/system_call.hpp"

#include <ctime>

namespace vftr::base {
namespace {

double clock_ns(clockid_t clock) {
    timespec time{};
    if (system_call(SYS_clock_gettime, clock, &time) != 0)
        return -1;
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

// The kernel's number of the CPU clock of another thread of this process (clock_gettime(2): the id is encoded as for
// clock_getcpuclockid, with the bits for the scheduler's clock and for a thread).
clockid_t clock_of(std::uint32_t tid) { return static_cast<clockid_t>(~tid << 3 | 6); }

} // namespace

double process_cpu_ns() { return clock_ns(CLOCK_PROCESS_CPUTIME_ID); }
double thread_cpu_ns() { return clock_ns(CLOCK_THREAD_CPUTIME_ID); }
double thread_cpu_ns(std::uint32_t tid) { return clock_ns(clock_of(tid)); }

} // namespace vftr::base
