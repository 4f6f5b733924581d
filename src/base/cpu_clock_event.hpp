// SPDX-License-Identifier: BSD-3-Clause
//
// The event of the kernel that takes a sample of a thread each period of its CPU time in user mode
// (perf_event_open(2)).
#pragma once

#include <cstdint>
#include <linux/perf_event.h>

namespace vftr::base {

inline perf_event_attr cpu_clock_event(std::uint64_t period_ns) {
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_SOFTWARE;
    attr.config = PERF_COUNT_SW_CPU_CLOCK;
    attr.sample_period = period_ns;
    attr.sample_type = PERF_SAMPLE_IP;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    attr.watermark = 1; // nobody waits for the ring
    attr.wakeup_watermark = ~0u;
    return attr;
}

} // namespace vftr::base
