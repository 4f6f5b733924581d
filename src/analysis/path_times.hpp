// SPDX-License-Identifier: BSD-3-Clause
//
// The times of a profile's paths, added up over the threads of a process in ticks, and turned into nanoseconds once, at
// the end. They are added up where they will be: of many paths, memory beside that of the profile costs as much as all
// that is done there.
//
// What a thread did for another (AttributedWork nodes) counts below the path of that other (placement.hpp), and in the
// inclusive time of all that called that path, not of what the thread itself was in meanwhile: the inclusive time of a
// function that forked a team is that of all of the team's threads. What a thread has noted for constructs is no help:
// it is of the outermost call of a recursion, in which tasks are executed that belong to other paths, and in these
// again calls of that recursion. So where threads have worked for each other, the inclusive time of constructs, of what
// stands below them and of what called them is the sum of the exclusive times of all that stands below. Of all other
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
    void append() {
        overhead_.push_back(0);
        unknown_.push_back(0);
        if (!in_latest_.empty())
            in_latest_.emplace_back();
    }
    // What follows is of another thread.
    void begin_thread();

    // Own time of a path in the thread, with the cost of the hooks (`raw`) and without. Several nodes of one thread may
    // be one path.
    void add_exclusive(std::uint32_t path, std::uint64_t exclusive, std::uint64_t raw) {
        PathNode& node = nodes_[path];
        node.exclusive += exclusive;
        node.raw_exclusive += raw;
        if (in_latest_.empty()) {
            node.threads = 1;
            node.longest_thread = node.exclusive;
        } else
            add_to_latest(path, exclusive);
    }
    void add_inclusive(std::uint32_t path, std::uint64_t inclusive, std::uint64_t raw) {
        nodes_[path].inclusive += inclusive;
        nodes_[path].raw_inclusive += raw;
    }
    void add_overhead(std::uint32_t path, double ticks) { overhead_[path] += ticks; }
    void add_unknown(std::uint32_t path, double ticks) { unknown_[path] += ticks; }
    // Calls that were counted only; the variance of the exclusive time.
    void add_estimate(std::uint32_t path, std::uint64_t count_only, double variance);
    // It is the path of an AttributedWork node.
    void set_target(std::uint32_t path);

    // Once all is there: the times of the paths become nanoseconds.
    void finish(double ns_per_tick);

private:
    void add_to_latest(std::uint32_t path, std::uint64_t exclusive);
    void add_up_constructs();

    // The latest thread that has a path, but for the first one, and its exclusive time there; ticks.
    struct InLatest {
        std::uint64_t exclusive = 0;
        std::uint32_t thread = 0;
    };
    struct Estimated {
        std::uint64_t count_only = 0;
        double variance = 0; // ticks²
    };

    std::vector<PathNode>& nodes_;
    std::vector<double> overhead_, unknown_; // ticks
    std::vector<Estimated> estimated_;       // up to the last path that has some
    std::vector<bool> target_;               // likewise
    std::uint32_t threads_ = 0;              // so far
    std::vector<InLatest> in_latest_;        // from the second thread on
};

} // namespace vftr::analysis
