// SPDX-License-Identifier: BSD-3-Clause
//
// The times of a profile's paths, added up over the threads of a process in ticks, and turned into nanoseconds once, at the end. They are
// added up where they will be: of many paths, memory beside that of the profile costs as much as all that is done there.
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
    // Of these paths, in which the times are added up, in ticks. They must outlive it.
    explicit PathTimes(std::vector<PathNode>& nodes) : nodes_(nodes) {}

    void reserve(std::size_t paths);
    // There is a new path.
    void append();

    // Own time of a path in a thread, with the cost of the hooks (`raw`) and without. Several nodes of one thread may be one path.
    void add_exclusive(std::uint32_t path, std::uint32_t thread, std::uint64_t exclusive, std::uint64_t raw);
    void add_inclusive(std::uint32_t path, std::uint64_t inclusive, std::uint64_t raw);
    void add_overhead(std::uint32_t path, double ticks);
    void add_unknown(std::uint32_t path, double ticks);
    // Calls that were counted only; the variance of the exclusive time.
    void add_estimate(std::uint32_t path, std::uint64_t untimed, double variance);
    // It is the path of an Attached node.
    void set_meant(std::uint32_t path);

    // Once all is there: the times of the paths become nanoseconds.
    void finish(double ns_per_tick, std::int32_t rank);

private:
    void add_up_constructs();

    // What a PathNode has no place for; ticks.
    struct Beside {
        double overhead = 0, unknown = 0;
        std::uint64_t in_latest = 0;     // exclusive time in the latest thread that has the path
        std::uint32_t latest_thread = 0; // if any has it
        bool meant = false;
    };
    struct Estimated {
        std::uint64_t untimed = 0;
        double variance = 0; // ticks²
    };

    std::vector<PathNode>& nodes_;
    std::vector<Beside> beside_;
    std::vector<Estimated> estimated_; // up to the last path that has some
    bool attached_ = false;            // some path is meant
};

} // namespace vftr::analysis
