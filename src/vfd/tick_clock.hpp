// SPDX-License-Identifier: BSD-3-Clause
//
// Converts the ticks of a recording to nanoseconds: the clock of its processor is taken to run evenly.
//
// All is in the header, as this is done for each event.
#pragma once

#include "vfd/format.hpp"

#include <algorithm>
#include <cstdint>

namespace vftr::vfd {

class TickClock {
public:
    TickClock() = default;
    TickClock(const ClockPair& start, double ns_per_tick) : start_(start), ns_per_tick_(ns_per_tick) {}

    double ns_per_tick() const { return ns_per_tick_; }
    // CLOCK_MONOTONIC and, as it was at the start of the recording, CLOCK_REALTIME. Both are limited to 64 bits.
    std::uint64_t to_ns(std::uint64_t ticks) const { return shifted(start_.monotonic_ns, ticks); }
    std::uint64_t to_realtime_ns(std::uint64_t ticks) const { return shifted(start_.realtime_ns, ticks); }

private:
    // Returns origin + the time between the start and `ticks`.
    std::uint64_t shifted(std::uint64_t origin, std::uint64_t ticks) const {
        constexpr double Limit = 9e18; // ns, 285 years
        const bool before = ticks < start_.ticks;
        const double ticks_apart = static_cast<double>(before ? start_.ticks - ticks : ticks - start_.ticks);
        // To the nearest, without the call of std::llround. It is not negative, and fits.
        const auto ns =
            static_cast<std::uint64_t>(static_cast<std::int64_t>(std::min(ticks_apart * ns_per_tick_, Limit) + 0.5));
        if (before)
            return origin > ns ? origin - ns : 0;
        return origin + std::min(ns, ~origin);
    }

    ClockPair start_{};
    double ns_per_tick_ = 1;
};

} // namespace vftr::vfd
