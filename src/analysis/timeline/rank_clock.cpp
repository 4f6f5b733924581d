// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/timeline/rank_clock.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace vftr::analysis {
namespace {

// CLOCK_REALTIME minus CLOCK_MONOTONIC at the start of the recording.
std::int64_t realtime_ahead(const vfd::FileHeader& header) {
    constexpr std::int64_t Most =
        std::numeric_limits<std::int64_t>::max() / 4; // in ns since 1970 this is the year 2043
    auto ahead = static_cast<std::int64_t>(header.start.realtime_ns - header.start.monotonic_ns);
    return std::clamp(ahead, -Most, Most);
}

// Two hosts may have the same name, but they were not booted at the same moment.
bool same_machine(const vfd::FileHeader& a, const vfd::FileHeader& b) {
    // The time of day may have been adjusted by so many ns between the starts of two processes.
    constexpr std::int64_t Adjusted = 50000000;
    return std::strncmp(a.hostname, b.hostname, sizeof a.hostname) == 0 &&
           std::abs(realtime_ahead(a) - realtime_ahead(b)) < Adjusted;
}

} // namespace

RankClock::RankClock(const vfd::FileHeader& own, const vfd::FileHeader& rank0) {
    if (own.rank == rank0.rank || same_machine(own, rank0))
        return;
    const vfd::ClockOffset &start = own.clock_offset[0], &end = own.clock_offset[1];
    const vfd::ClockOffset& first = start.error_ns ? start : end;
    if (rank0.rank != 0 || first.error_ns == 0) {
        known_ = false;
        offset_ = realtime_ahead(own) - realtime_ahead(rank0);
        error_ = RealtimeError;
        return;
    }
    origin_ = tame(first.monotonic_ns);
    offset_ = tame(first.offset_ns);
    error_ = tame(std::max(start.error_ns, end.error_ns));
    const std::int64_t apart = tame(end.monotonic_ns) - origin_;
    if (start.error_ns && end.error_ns && apart > 0)
        drift_ = static_cast<double>(tame(end.offset_ns) - offset_) / static_cast<double>(apart);
    drift_ = std::clamp(drift_, -0.01, 0.01); // no real clock drifts that much
}

std::int64_t RankClock::drifted(std::int64_t own) const {
    return std::llround(drift_ * static_cast<double>(own - origin_));
}

} // namespace vftr::analysis
