// SPDX-License-Identifier: BSD-3-Clause
//
// Times of all ranks on one clock, CLOCK_MONOTONIC of rank 0.
//
// Processes of one machine have one CLOCK_MONOTONIC, exactly. Those of two machines start at
// different moments and run at slightly different speeds: what the ranks measured gives a line.
// Where nothing was measured, CLOCK_REALTIME of two machines is taken to be the same.
#pragma once

#include "vfd/format.hpp"

#include <cstdint>

namespace vftr::analysis {

class RankClock {
public:
    // The headers of a rank and of rank 0 (of any other where that is missing).
    RankClock(const vfd::FileHeader& own, const vfd::FileHeader& rank0);

    // Own CLOCK_MONOTONIC → that of rank 0, both in nanoseconds.
    std::int64_t convert(std::uint64_t monotonic_ns) const;
    std::int64_t error_ns() const { return error_; }
    // Whether it was measured or is the clock of rank 0.
    bool known() const { return known_; }

private:
    std::int64_t origin_ = 0, offset_ = 0; // own clock; offset there
    double drift_ = 0;                     // of the offset, per ns
    std::int64_t error_ = 0;
    bool known_ = true;
};

// How far the realtime clocks of two machines are taken to be apart where nothing was measured.
constexpr std::int64_t RealtimeError = 1000000;

} // namespace vftr::analysis
