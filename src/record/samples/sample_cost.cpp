// SPDX-License-Identifier: BSD-3-Clause
#include "record/samples/sample_cost.hpp"

#include "base/clock.hpp"
#include "record/samples/sample_ring.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace vftr::record {

namespace {

constexpr std::uint64_t RapidPeriod = 50'000, LongestTrial = 20'000'000; // ns
constexpr std::size_t Trials = 9;
// What a rare sample takes, compared with one of these. It finds the caches cold, and the program afterwards finds them
// without some of its lines: 1.3 times as much on a virtual machine (bench/programs/sampled_blocks.c). The rest is for
// what the trials differ by, since no more may be taken than is said.
constexpr double RareToRapid = 1.5;

} // namespace

// The thread reads the clock all the time. Between which two readings it was interrupted tells the ring; since the
// interrupt may come after the look into the ring and before the reading, the gap before counts as well.
std::int64_t cost_of_a_sample() {
    SampleRing ring{};
    if (const int error = ring.open(RapidPeriod); error != 0)
        return error;
    std::array<std::uint64_t, Trials> gaps;
    std::size_t count = 0;
    const std::uint64_t begin = base::monotonic_ns();
    std::uint64_t last = begin, gap_before = 0;
    while (count < gaps.size() && last - begin < LongestTrial) {
        const bool sampled = ring.has_samples();
        const std::uint64_t now = base::monotonic_ns(), gap = now - last;
        if (sampled) {
            gaps[count++] = std::max(gap, gap_before);
            ring.drain([](std::uint64_t, std::uint64_t) {});
        }
        gap_before = gap;
        last = sampled ? base::monotonic_ns() : now;
    }
    ring.close();
    if (count == 0)
        return LongestTrial;
    const auto upper_quartile = gaps.begin() + static_cast<std::ptrdiff_t>(count * 3 / 4);
    std::nth_element(gaps.begin(), upper_quartile, gaps.begin() + static_cast<std::ptrdiff_t>(count));
    return static_cast<std::int64_t>(static_cast<double>(*upper_quartile) * RareToRapid);
}

std::uint64_t period_for(std::uint64_t cost) {
    const double wanted = static_cast<double>(cost) / MostOfTimeForSamples;
    return wanted >= static_cast<double>(LongestSamplePeriod)
               ? LongestSamplePeriod
               : std::max(static_cast<std::uint64_t>(wanted), ShortestSamplePeriod);
}

} // namespace vftr::record
