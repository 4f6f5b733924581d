// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/path_times.hpp"

#include "analysis/profile/whole_ns.hpp"

#include <algorithm>

namespace vftr::analysis {

void PathTimes::reserve(std::size_t paths) {
    overhead_.reserve(paths);
    unknown_.reserve(paths);
}

void PathTimes::begin_thread() {
    if (threads_++ == 1)
        in_latest_.resize(nodes_.size());
}

void PathTimes::add_to_latest(std::uint32_t path, std::uint64_t exclusive) {
    PathNode& node = nodes_[path];
    InLatest& latest = in_latest_[path];
    if (latest.thread != threads_) {
        ++node.threads;
        latest = {0, threads_};
    }
    latest.exclusive += exclusive;
    node.longest_thread = std::max(node.longest_thread, latest.exclusive);
}

void PathTimes::add_estimate(std::uint32_t path, std::uint64_t count_only, double variance) {
    estimated_.resize(std::max<std::size_t>(estimated_.size(), path + 1));
    estimated_[path].count_only += count_only;
    estimated_[path].variance += variance;
}

void PathTimes::set_target(std::uint32_t path) {
    target_.resize(std::max<std::size_t>(target_.size(), path + 1));
    target_[path] = true;
}

namespace {

// Computes the inclusive times of the paths in `wanted` as sums of exclusive times.
template <class Exclusive, class Inclusive>
void add_up(std::vector<PathNode>& nodes, const std::vector<bool>& wanted, Exclusive exclusive, Inclusive inclusive) {
    std::vector<std::uint64_t> sum(nodes.size());
    for (std::size_t i = nodes.size(); i-- > 0;) {
        sum[i] += exclusive(nodes[i]);
        if (i != 0)
            sum[nodes[i].parent] += sum[i];
        if (wanted[i])
            inclusive(nodes[i]) = sum[i];
    }
}

} // namespace

void PathTimes::add_up_constructs() {
    std::vector<bool> within(nodes_.size()), shared(nodes_.size());
    for (std::size_t i = 1; i < nodes_.size(); ++i)
        within[i] = shared[i] =
            (i < target_.size() && target_[i]) || nodes_[i].kind == NodeKind::OpenMp || within[nodes_[i].parent];
    for (std::size_t i = nodes_.size(); i-- > 1;)
        if (shared[i])
            shared[nodes_[i].parent] = true;
    shared[0] = true;
    using Time = std::uint64_t&;
    add_up(
        nodes_, shared, [](PathNode& node) { return node.exclusive; },
        [](PathNode& node) -> Time { return node.inclusive; });
    add_up(
        nodes_, shared, [](PathNode& node) { return node.raw_exclusive; },
        [](PathNode& node) -> Time { return node.raw_inclusive; });
}

void PathTimes::finish(double ns) {
    if (!target_.empty())
        add_up_constructs();
    auto of_ticks = [ns](auto ticks) { return whole_ns(static_cast<double>(ticks) * ns); };
    // Equal numbers of ticks give equal times. Most paths have no callees, so this spares most of the conversions.
    auto time = [&](std::uint64_t ticks, std::uint64_t known_ticks, std::uint64_t known_time) {
        return ticks == known_ticks ? known_time : of_ticks(ticks);
    };
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        PathNode& node = nodes_[i];
        const std::uint64_t own = node.exclusive, raw_own = node.raw_exclusive;
        node.exclusive = of_ticks(own);
        node.inclusive = time(node.inclusive, own, node.exclusive);
        node.raw_exclusive = of_ticks(raw_own);
        node.raw_inclusive = time(node.raw_inclusive, raw_own, node.raw_exclusive);
        node.longest_thread = time(node.longest_thread, own, node.exclusive);
        node.overhead = of_ticks(overhead_[i]);
        node.unknown = of_ticks(unknown_[i]);
        if (i < estimated_.size()) {
            node.estimated = estimated_[i].count_only;
            node.variance = whole_us2(estimated_[i].variance * ns * ns);
        }
    }
}

} // namespace vftr::analysis
