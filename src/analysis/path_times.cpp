// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/path_times.hpp"

#include "analysis/whole_ns.hpp"

#include <algorithm>

namespace vftr::analysis {

void PathTimes::reserve(std::size_t paths) { beside_.reserve(paths); }

void PathTimes::append() { beside_.emplace_back(); }

void PathTimes::add_exclusive(std::uint32_t path, std::uint32_t thread, std::uint64_t exclusive, std::uint64_t raw) {
    PathNode& node = nodes_[path];
    Beside& beside = beside_[path];
    node.exclusive.sum += exclusive;
    node.raw_exclusive += raw;
    if (node.threads == 0 || beside.latest_thread != thread) {
        ++node.threads;
        beside.latest_thread = thread;
        beside.in_latest = 0;
    }
    beside.in_latest += exclusive;
    node.longest_thread = std::max(node.longest_thread, beside.in_latest);
}

void PathTimes::add_inclusive(std::uint32_t path, std::uint64_t inclusive, std::uint64_t raw) {
    nodes_[path].inclusive.sum += inclusive;
    nodes_[path].raw_inclusive += raw;
}

void PathTimes::add_overhead(std::uint32_t path, double ticks) { beside_[path].overhead += ticks; }

void PathTimes::add_unknown(std::uint32_t path, double ticks) { beside_[path].unknown += ticks; }

void PathTimes::add_estimate(std::uint32_t path, std::uint64_t untimed, double variance) {
    estimated_.resize(std::max<std::size_t>(estimated_.size(), path + 1));
    estimated_[path].untimed += untimed;
    estimated_[path].variance += variance;
}

void PathTimes::set_meant(std::uint32_t path) { beside_[path].meant = attached_ = true; }

namespace {

// The inclusive times of those that are wanted.
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
        within[i] = shared[i] = beside_[i].meant || nodes_[i].kind == NodeKind::OpenMp || within[nodes_[i].parent];
    for (std::size_t i = nodes_.size(); i-- > 1;)
        if (shared[i])
            shared[nodes_[i].parent] = true;
    shared[0] = true;
    using Time = std::uint64_t&;
    add_up(nodes_, shared, [](PathNode& node) { return node.exclusive.sum; }, [](PathNode& node) -> Time { return node.inclusive.sum; });
    add_up(nodes_, shared, [](PathNode& node) { return node.raw_exclusive; }, [](PathNode& node) -> Time { return node.raw_inclusive; });
}

void PathTimes::finish(double ns, std::int32_t rank) {
    if (attached_)
        add_up_constructs();
    auto of_ticks = [ns](auto ticks) { return whole_ns(static_cast<double>(ticks) * ns); };
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        PathNode& node = nodes_[i];
        node.exclusive = of_one_rank(of_ticks(node.exclusive.sum), rank);
        node.inclusive = of_one_rank(of_ticks(node.inclusive.sum), rank);
        node.raw_exclusive = of_ticks(node.raw_exclusive);
        node.raw_inclusive = of_ticks(node.raw_inclusive);
        node.overhead = of_ticks(beside_[i].overhead);
        node.unknown = of_ticks(beside_[i].unknown);
        node.longest_thread = of_ticks(node.longest_thread);
        if (i < estimated_.size()) {
            node.estimated = estimated_[i].untimed;
            node.variance = whole_us2(estimated_[i].variance * ns * ns);
        }
    }
}

} // namespace vftr::analysis
