// SPDX-License-Identifier: BSD-3-Clause
//
// The times of a profile's paths, added up over the threads of a process in ticks, and turned into nanoseconds once, at the end.
//
// What a thread did for another (Attached nodes) counts below the path of that other (placement.hpp), and in the inclusive time of all that
// called that path, not of what the thread itself was in meanwhile: the inclusive time of a function that forked a team is that of all of the
// team's threads. What a thread has noted for constructs is no help: it is of the outermost call of a recursion, in which tasks are executed that
// belong to other paths, and in these again calls of that recursion. So where threads have worked for each other, the inclusive time of
// constructs, of what stands below them and of what called them is the sum of the exclusive times of all that stands below. Of all other
// paths it is what the recorder has measured.
#pragma once

#include "analysis/profile.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vftr::analysis {

class PathTimes {
public:
    void reserve(std::size_t paths);
    void append();

    // Own time of a path in a thread, with the cost of the hooks (`raw`) and without. Several nodes of one thread may be one path.
    void add_exclusive(std::uint32_t path, std::uint32_t thread, std::uint64_t exclusive, std::uint64_t raw);
    void add_inclusive(std::uint32_t path, std::uint64_t inclusive, std::uint64_t raw);
    void add_overhead(std::uint32_t path, double ticks);
    // Calls that were counted only; the variance of the exclusive time.
    void add_estimate(std::uint32_t path, std::uint64_t untimed, double variance);
    // It is the path of an Attached node.
    void set_meant(std::uint32_t path);

    // Once all is there. `nodes` are the paths, in which the times go.
    void write(std::vector<PathNode>& nodes, double ns_per_tick, std::int32_t rank);

private:
    void add_up_constructs(const std::vector<PathNode>& nodes);

    // Ticks.
    struct InThread {
        std::uint32_t threads = 0, index = 0;     // how many have the path; the latest of them
        std::uint64_t exclusive = 0, longest = 0; // of that one; the most
    };
    struct Times {
        std::uint64_t exclusive = 0, inclusive = 0, raw_exclusive = 0, raw_inclusive = 0;
        double overhead = 0;
        InThread in_thread;
        bool meant = false;
    };
    struct Estimated {
        std::uint64_t untimed = 0;
        double variance = 0; // ticks²
    };
    static void add_up(const std::vector<PathNode>& nodes, const std::vector<bool>& wanted, std::vector<Times>& times,
                       std::uint64_t Times::*exclusive, std::uint64_t Times::*inclusive);

    std::vector<Times> times_;
    std::vector<Estimated> estimated_; // up to the last path that has some
    bool attached_ = false;            // some path is meant
};

} // namespace vftr::analysis
