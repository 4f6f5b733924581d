// SPDX-License-Identifier: BSD-3-Clause
//
// Waiting that ends: for a condition or a moment, whichever comes first.
#pragma once

#include <algorithm>
#include <chrono>
#include <sched.h>
#include <thread>

namespace vftr::mpi {

using Clock = std::chrono::steady_clock;

inline Clock::duration to_duration(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// Asks again and again until it holds or the deadline has passed: eagerly at first, for partners
// who are already there, then every millisecond.
template <typename Condition>
bool wait_for(Clock::time_point deadline, Condition condition) {
    constexpr auto longest = std::chrono::microseconds(1000);
    auto pause = std::chrono::microseconds(0);
    for (unsigned asked = 0; !condition(); ++asked) {
        if (Clock::now() >= deadline)
            return false;
        if (asked < 1000) {
            sched_yield();
            continue;
        }
        pause = std::min<std::chrono::microseconds>(pause * 2 + std::chrono::microseconds(10), longest);
        std::this_thread::sleep_for(pause);
    }
    return true;
}

} // namespace vftr::mpi
