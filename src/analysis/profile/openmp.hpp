// SPDX-License-Identifier: BSD-3-Clause
//
// What a profile knows of parallel regions (OpenMP) in addition to their call paths.
//
// The time of a team is the duration of the region times the threads of its team. A member is busy from the moment when
// it joins the team until it reaches the region's end, except in constructs that wait (barriers, taskwait, the entry of
// a critical section …); tasks that it executes while it waits are work. A nested region is work of the member that
// forks it, and has a row of its own. The rest of a team's time is waiting: in constructs that wait, at the region's
// end, and while the team is assembled.
//
// The cost of the hooks while a member is busy is excluded from all of these times; the time that other members wait
// meanwhile because of it is included.
//
// The imbalance of a rank is the excess of its busiest thread over the average of the team. Over several ranks, both
// the busiest and the average times are added up. So ranks are weighted by their time, and the order of merging does
// not matter.
#pragma once

#include <cstdint>

namespace vftr::analysis {

// All calls of one region's call path, on all ranks. Times are nanoseconds.
struct OpenMpRegion {
    std::uint32_t node = 0;    // the call path
    std::uint32_t threads = 0; // size of the largest team
    std::uint64_t time = 0;    // from fork to join, as the forking threads see it
    std::uint64_t team = 0;    // time of the teams as defined above; only of regions that have ended
    std::uint64_t wait = 0;    // the part of `team` that is not busy
    std::uint64_t busiest = 0; // busy time of the busiest thread of each rank
    std::uint64_t average = 0; // average busy time of the threads of each rank; both are sums over ranks

    void add(const OpenMpRegion& other) {
        threads = threads < other.threads ? other.threads : threads;
        time += other.time;
        team += other.team;
        wait += other.wait;
        busiest += other.busiest;
        average += other.average;
    }
    // The imbalance in percent of the average; 0 where no thread was busy.
    double imbalance() const {
        return average && busiest > average
                   ? 100.0 * static_cast<double>(busiest - average) / static_cast<double>(average)
                   : 0;
    }
};

} // namespace vftr::analysis
