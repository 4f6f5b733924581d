// SPDX-License-Identifier: BSD-3-Clause
//
// What a sample costs the thread that is sampled, and how often it can be sampled for that.
//
// For a sample the processor leaves the program for an interrupt of its timer. That takes 1 to 2 µs on a machine, and
// 20 µs where each such interrupt is the host's work, as in many virtual machines: a thousand samples in a second are a
// part of the CPU time that nobody notices on the one, and 2 % on the other. So it is measured once in a process, when
// the first thread begins to be sampled.
#pragma once

#include <cstdint>

namespace vftr::record {

// Not divisors of the periods that programs have; ns of CPU time.
inline constexpr std::uint64_t ShortestSamplePeriod = 999'983, LongestSamplePeriod = 19'999'999;
// The part of the CPU time that samples may take where the period is ours to choose.
inline constexpr double MostOfTimeForSamples = 0.002;

// Nanoseconds of CPU time that a sample takes, by a few that are taken in rapid succession, within half a millisecond
// of CPU time. Where none comes in 20 ms, as other work has the core, it is those. A negative errno: the kernel takes
// none.
std::int64_t cost_of_a_sample();

// The period at which samples of this cost (ns) take MostOfTimeForSamples, within the bounds above.
std::uint64_t period_for(std::uint64_t cost);

} // namespace vftr::record
