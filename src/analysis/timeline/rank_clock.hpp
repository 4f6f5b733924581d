// SPDX-License-Identifier: BSD-3-Clause
//
// Converts times of all ranks to one clock, the CLOCK_MONOTONIC of rank 0.
//
// Processes of one machine share exactly one CLOCK_MONOTONIC. The clocks of two machines start at different moments and
// run at slightly different speeds, so the offsets that the ranks measured give a linear function. Where nothing was
// measured, the CLOCK_REALTIME of the two machines is assumed to be the same.
#pragma once

#include "vfd/format.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace vftr::analysis {

class RankClock {
public:
    // The headers of a rank and of rank 0 (of any other where that is missing).
    RankClock(const vfd::FileHeader& own, const vfd::FileHeader& rank0);

    // Converts a time of the rank's own CLOCK_MONOTONIC to that of rank 0, both in nanoseconds.
    std::int64_t convert(std::uint64_t monotonic_ns) const {
        const std::int64_t own = tame(monotonic_ns);
        return std::clamp(own + offset_ + (drift_ != 0 ? drifted(own) : 0), -MostConverted, MostConverted);
    }
    std::int64_t error_ns() const { return error_; }
    // Whether the offset was measured, or the clock is that of rank 0 itself.
    bool known() const { return known_; }

private:
    static constexpr std::int64_t MostConverted =
        std::numeric_limits<std::int64_t>::max() / 4; // so that differences fit into 64 bits

    // Headers may be damaged, so times are limited such that their sums cannot overflow.
    static constexpr std::int64_t MostTime = std::numeric_limits<std::int64_t>::max() / 8;
    static std::int64_t tame(std::uint64_t ns) {
        return static_cast<std::int64_t>(std::min<std::uint64_t>(ns, MostTime));
    }
    static std::int64_t tame(std::int64_t ns) { return std::clamp(ns, -MostTime, MostTime); }
    std::int64_t drifted(std::int64_t own) const;

    std::int64_t origin_ = 0, offset_ = 0; // a moment of the own clock; offset at that moment
    double drift_ = 0;                     // of the offset, per ns
    std::int64_t error_ = 0;
    bool known_ = true;
};

// The assumed error, in ns, of the realtime clocks of two machines where nothing was measured.
constexpr std::int64_t RealtimeError = 1000000;

} // namespace vftr::analysis
