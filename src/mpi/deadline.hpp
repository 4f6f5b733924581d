// SPDX-License-Identifier: BSD-3-Clause
//
// Waits with an end: until a condition holds or a moment has come, whichever is first.
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

// Evaluates the condition until it holds or the deadline has passed. At first it only yields between two tests, for
// partners that are there already; then it sleeps for an eighth of the time that it has waited, up to a millisecond. It
// stops yielding as soon as other threads run on this core meanwhile: with more ranks than cores the awaited rank may
// be the one that needs the core, and a thread that wakes up is given a core sooner than one that has yielded it.
template <typename Condition>
bool wait_for(Clock::time_point deadline, Condition condition) {
    using std::chrono::microseconds;
    constexpr unsigned MostYields = 1000;
    constexpr Clock::duration Crowded = microseconds(20), Shortest = microseconds(20), Longest = microseconds(1000);
    const Clock::time_point begin = Clock::now();
    Clock::time_point now = begin;
    for (unsigned yields = 0; !condition();) {
        if (now >= deadline)
            return false;
        if (yields < MostYields) {
            const Clock::time_point before = Clock::now();
            sched_yield();
            now = Clock::now();
            yields = now - before > Crowded ? MostYields : yields + 1;
        } else {
            std::this_thread::sleep_for(std::clamp((now - begin) / 8, Shortest, Longest));
            now = Clock::now();
        }
    }
    return true;
}

} // namespace vftr::mpi
