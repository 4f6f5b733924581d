// SPDX-License-Identifier: BSD-3-Clause
//
// The times of a profile's paths are added up over the threads of a process in ticks, and converted to nanoseconds
// once, at the end. The sums are kept in the profile's nodes themselves: with many paths, additional memory would cost
// as much as all of this work.
//
// Work that a thread did for another one (AttributedWork nodes) counts below the path of that other thread
// (placement.hpp). It is part of the inclusive time of that path's callers, and not of the functions that the working
// thread itself was in: so the inclusive time of a function that forked a team is that of all threads of the team. The
// inclusive times that a thread has recorded for constructs cannot be used for this. They are those of the outermost
// call of a recursion, in which the thread executes tasks that belong to other paths, and these tasks may again call
// the recursive function. So where threads have worked for each other, the inclusive time of constructs, of the paths
// below them and of their callers is computed as the sum of the exclusive times of the path and of all paths below it.
// For all other paths it is what the recorder has measured.
#pragma once

#include "analysis/profile/profile.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vftr::analysis {

class PathTimes {
public:
    // The times, in ticks, are added up in `nodes`, which must outlive this object.
    explicit PathTimes(std::vector<PathNode>& nodes) : nodes_(nodes) {}

    void reserve(std::size_t paths);
    // A path has been appended to the nodes.
    void append() {
        overhead_.push_back(0);
        unknown_.push_back(0);
        if (!in_latest_.empty())
            in_latest_.emplace_back();
    }
    // The times that follow belong to another thread.
    void begin_thread();

    // Adds the own time of a path in the current thread, with the cost of the hooks (`raw`) and without. Several nodes
    // of one thread may belong to one path.
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
    // Adds the number of calls that were only counted, and the variance of the exclusive time.
    void add_estimate(std::uint32_t path, std::uint64_t count_only, double variance);
    // Marks the target path of an AttributedWork node.
    void set_target(std::uint32_t path);

    // Converts the times of the paths to nanoseconds, once all have been added.
    void finish(double ns_per_tick);

private:
    void add_to_latest(std::uint32_t path, std::uint64_t exclusive);
    void add_up_constructs();

    // The latest thread that has a path (from the second thread on), and its exclusive time there in ticks.
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
    std::vector<Estimated> estimated_;       // by path, up to the last one with an estimate
    std::vector<bool> target_;               // by path, up to the last one that is a target
    std::uint32_t threads_ = 0;              // threads so far
    std::vector<InLatest> in_latest_;        // by path; empty until the second thread begins
};

} // namespace vftr::analysis
