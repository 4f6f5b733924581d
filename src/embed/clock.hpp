// SPDX-License-Identifier: BSD-3-Clause
//
// Ticks as CLOCK_MONOTONIC, by one multiplication.
//
// A thread reads both clocks when it looks at them anyway (record/hot/slow_path.cpp: first often, at last twice a
// second) and goes on from there at the rate between the latest two readings: an error of a reading does not add up,
// and a clock that is being slewed is followed. Until the rate is known, for the first tenth of a millisecond of the
// process, the clock itself is read.
#pragma once

#include "record/hot/thread_state.hpp"

#include <cstdint>

namespace vftr::embed {

// Reads both clocks.
void read_clocks(record::Subscription& subscription);

// 0 counts as not known and stays 0.
inline std::uint64_t converted(const record::Subscription& clock, std::uint64_t ticks) {
    const auto since = static_cast<std::int64_t>(ticks - clock.ticks);
    return clock.ns +
           static_cast<std::uint64_t>(static_cast<std::int64_t>((static_cast<__int128>(since) * clock.rate) >> 32));
}

std::uint64_t monotonic_of(const record::Subscription& clock, std::uint64_t ticks);

// Of the event that happens now.
inline std::uint64_t time_of_event(record::Subscription& clock, std::uint64_t now) {
    const std::uint64_t ns = __builtin_expect(clock.rate != 0, 1) ? converted(clock, now) : monotonic_of(clock, now);
    return clock.latest_ns = ns > clock.latest_ns ? ns : clock.latest_ns;
}

} // namespace vftr::embed
