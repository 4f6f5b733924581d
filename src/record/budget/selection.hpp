// SPDX-License-Identifier: BSD-3-Clause
//
// Chooses the functions that become windowed, by what the hooks of each call path cost in an interval.
//
// While the hooks of a function are out, calls that it makes seem to be calls of its caller. Call paths stay right only
// if the functions that it calls are windowed together with it. So a function can be chosen only if nothing below it
// has to stay: MPI, regions, OpenMP, functions that are recorded precisely, and functions that take much of the time by
// themselves. Functions are chosen by their cost, the most expensive first, until the rest costs no more than the
// limit; one that costs less than a sixty-fourth of the limit is left alone, as its windows would save little.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace vftr::record {

struct PathCost {
    static constexpr std::uint32_t NoParent = 0xffffffff;
    std::uint64_t function;          // 0: not a function
    std::uint32_t parent = NoParent; // index of the caller's path, smaller than that of this one
    double cost = 0;                 // what the hooks of its calls cost in the interval
    bool active = false;             // it had calls in the interval
    bool stays = false;              // it must not be windowed
};

struct Selection {
    std::vector<std::uint64_t> chosen;   // the functions that become windowed
    std::vector<std::uint64_t> released; // windowed functions that have turned out to call something that stays
    double rest = 0;                     // what the hooks of all other functions cost in the interval
};

// is_windowed: whether a function is so already.
Selection select_windowed(const std::vector<PathCost>& paths, double limit,
                          const std::function<bool(std::uint64_t)>& is_windowed);

} // namespace vftr::record
