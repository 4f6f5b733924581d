// SPDX-License-Identifier: BSD-3-Clause
//
// Converts ticks to times of CLOCK_MONOTONIC by one multiplication.
//
// A thread reads both clocks when it takes the slow path anyway (record/hot/slow_path.cpp: often at first, later twice
// a second) and extrapolates from there at the rate between the latest two readings. So errors of readings do not add
// up, and a clock that is being slewed is followed. Until the rate is known, in the first tenth of a millisecond of the
// process, the clock itself is read.
#pragma once

#include "record/hot/thread_state.hpp"

#include <cstdint>

namespace vftr::embed {

// Reads both clocks.
void read_clocks(record::Subscription& subscription);

// Needs a known rate.
inline std::uint64_t converted(const record::Subscription& clock, std::uint64_t ticks) {
    const auto since = static_cast<std::int64_t>(ticks - clock.ticks);
    return clock.ns +
           static_cast<std::uint64_t>(static_cast<std::int64_t>((static_cast<__int128>(since) * clock.rate) >> 32));
}

// 0 ticks mean "not known" and stay 0. Without a rate it reads both clocks.
std::uint64_t monotonic_of(const record::Subscription& clock, std::uint64_t ticks);

// The time of the event that happens now; it never goes back.
inline std::uint64_t time_of_event(record::Subscription& clock, std::uint64_t now) {
    const std::uint64_t ns = __builtin_expect(clock.rate != 0, 1) ? converted(clock, now) : monotonic_of(clock, now);
    return clock.latest_ns = ns > clock.latest_ns ? ns : clock.latest_ns;
}

} // namespace vftr::embed
