// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/path_times.hpp"

#include "analysis/whole_ns.hpp"

#include <algorithm>

namespace vftr::analysis {

void PathTimes::reserve(std::size_t paths) { times_.reserve(paths); }

void PathTimes::append() { times_.emplace_back(); }

void PathTimes::add_exclusive(std::uint32_t path, std::uint32_t thread, std::uint64_t exclusive, std::uint64_t raw) {
    Times& times = times_[path];
    times.exclusive += exclusive;
    times.raw_exclusive += raw;
    InThread& latest = times.in_thread;
    if (latest.threads == 0 || latest.index != thread) {
        ++latest.threads;
        latest.index = thread;
        latest.exclusive = 0;
    }
    latest.exclusive += exclusive;
    latest.longest = std::max(latest.longest, latest.exclusive);
}

void PathTimes::add_inclusive(std::uint32_t path, std::uint64_t inclusive, std::uint64_t raw) {
    times_[path].inclusive += inclusive;
    times_[path].raw_inclusive += raw;
}

void PathTimes::add_overhead(std::uint32_t path, double ticks) { times_[path].overhead += ticks; }

void PathTimes::add_estimate(std::uint32_t path, std::uint64_t untimed, double variance) {
    estimated_.resize(std::max<std::size_t>(estimated_.size(), path + 1));
    estimated_[path].untimed += untimed;
    estimated_[path].variance += variance;
}

void PathTimes::set_meant(std::uint32_t path) { times_[path].meant = attached_ = true; }

void PathTimes::add_up_constructs(const std::vector<PathNode>& nodes) {
    std::vector<bool> within(nodes.size()), shared(nodes.size());
    for (std::size_t i = 1; i < nodes.size(); ++i)
        within[i] = shared[i] = times_[i].meant || nodes[i].kind == NodeKind::OpenMp || within[nodes[i].parent];
    for (std::size_t i = nodes.size(); i-- > 1;)
        if (shared[i])
            shared[nodes[i].parent] = true;
    shared[0] = true;
    add_up(nodes, shared, times_, &Times::exclusive, &Times::inclusive);
    add_up(nodes, shared, times_, &Times::raw_exclusive, &Times::raw_inclusive);
}

void PathTimes::add_up(const std::vector<PathNode>& nodes, const std::vector<bool>& wanted, std::vector<Times>& times,
                       std::uint64_t Times::*exclusive, std::uint64_t Times::*inclusive) {
    std::vector<std::uint64_t> sum(times.size());
    for (std::size_t i = times.size(); i-- > 0;) {
        sum[i] += times[i].*exclusive;
        if (i != 0)
            sum[nodes[i].parent] += sum[i];
        if (wanted[i])
            times[i].*inclusive = sum[i];
    }
}

void PathTimes::write(std::vector<PathNode>& nodes, double ns, std::int32_t rank) {
    if (attached_)
        add_up_constructs(nodes);
    auto of_ticks = [ns](auto ticks) { return whole_ns(static_cast<double>(ticks) * ns); };
    auto of_one_rank = [&](std::uint64_t ticks) {
        const std::uint64_t value = of_ticks(ticks);
        return RankStat{value, value, value, rank, rank};
    };
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        PathNode& path = nodes[i];
        const Times& times = times_[i];
        path.exclusive = of_one_rank(times.exclusive);
        path.inclusive = of_one_rank(times.inclusive);
        path.raw_exclusive = of_ticks(times.raw_exclusive);
        path.raw_inclusive = of_ticks(times.raw_inclusive);
        path.overhead = of_ticks(times.overhead);
        path.threads = times.in_thread.threads;
        path.longest_thread = of_ticks(times.in_thread.longest);
        if (i < estimated_.size()) {
            path.estimated = estimated_[i].untimed;
            path.variance = whole_us2(estimated_[i].variance * ns * ns);
        }
    }
}

} // namespace vftr::analysis
