// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/openmp_of.hpp"

#include "analysis/profile/each_node.hpp"
#include "analysis/profile/whole_ns.hpp"

#include <algorithm>
#include <span>

namespace vftr::analysis {
namespace {

bool is_openmp(const vfd::Node& node) {
    return node.kind == vfd::NodeKind::OpenMp || node.kind == vfd::NodeKind::AttributedWork;
}

bool waits(const vfd::Node& node) {
    return node.kind == vfd::NodeKind::OpenMp && vfd::is_wait(vfd::construct_of(node.key));
}

} // namespace

bool RegionTimes::is_region(NodeOfThread at) const {
    const vfd::Node& node = image_.threads()[at.thread].node(at.node);
    return node.kind == vfd::NodeKind::OpenMp && vfd::construct_of(node.key) == vfd::Construct::Parallel;
}

// The innermost region that the node is, or is below, on whatever thread. Targets form no circles, so the loop ends.
std::optional<NodeOfThread> RegionTimes::region_around(NodeOfThread at) const {
    for (;;) {
        if (is_region(at))
            return at;
        const vfd::Node& node = image_.threads()[at.thread].node(at.node);
        if (node.kind == vfd::NodeKind::AttributedWork) {
            const auto target = placement_.attribution().target(at);
            if (!target)
                return std::nullopt;
            at = *target;
        } else if (at.node == 0 || node.parent >= at.node)
            return std::nullopt;
        else
            at.node = node.parent;
    }
}

// A thread begins to work for a region where it forks the region or takes part in it, and where it executes one of its
// tasks from outside. Tasks that it executes within the region are part of its work there.
std::optional<NodeOfThread> RegionTimes::region_begun_at(NodeOfThread at, bool within) const {
    if (is_region(at))
        return at;
    if (image_.threads()[at.thread].node(at.node).kind != vfd::NodeKind::AttributedWork)
        return std::nullopt;
    const NodeOfThread owner = placement_.attribution().owner(image_, at);
    if (is_region(owner))
        return owner;
    return within ? std::nullopt : region_around(at);
}

std::vector<RegionTimes::Part> RegionTimes::parts_of(std::uint32_t thread) const {
    const vfd::ThreadView& view = image_.threads()[thread];
    std::vector<Part> parts;
    if (!view.has(vfd::NodeKind::OpenMp) && !view.has(vfd::NodeKind::AttributedWork))
        return parts;
    std::vector<bool> within; // by node; filled once there is a region
    for_each_node(view, [&](std::uint32_t id, const vfd::Node& node) {
        const bool caller_within = !within.empty() && node.parent < id && within[node.parent];
        const auto region = is_openmp(node) ? region_begun_at({thread, id}, caller_within) : std::nullopt;
        if (region && within.empty())
            within.resize(view.node_count);
        if (region)
            parts.push_back({id, *region});
        if (!within.empty())
            within[id] = region || caller_within;
    });
    return parts;
}

void RegionTimes::add(std::uint32_t thread, const ThreadTimes& times) {
    std::vector<Part> parts = parts_of(thread);
    if (parts.empty())
        return;
    const vfd::ThreadView& view = image_.threads()[thread];
    // Ticks spent below a node, without the regions that begin below it. `raw` includes the cost of the hooks.
    std::vector<std::uint64_t> waiting(view.node_count), raw_waiting(view.node_count);
    auto without = [](std::uint64_t whole, std::uint64_t part) { return whole - std::min(whole, part); };
    for (std::uint32_t id = view.node_count; id-- > 1;) {
        const vfd::Node& node = view.node(id);
        if (waits(node))
            waiting[id] += times.of[id].exclusive, raw_waiting[id] += times.of[id].raw_exclusive;
        if (!parts.empty() && parts.back().node == id) {
            const std::uint64_t whole = times.of[id].inclusive, busy = without(whole, waiting[id]);
            Region& region = regions_[placement_.known(parts.back().region)];
            region.busy[thread] += busy;
            region.lost += without(without(times.of[id].raw_inclusive, raw_waiting[id]), busy);
            if (node.kind == vfd::NodeKind::OpenMp)
                region.time += whole;
            parts.pop_back();
        } else if (node.parent < id)
            waiting[node.parent] += waiting[id], raw_waiting[node.parent] += raw_waiting[id];
    }
}

void RegionTimes::finish(Profile& profile, const PathOfNode& place) const {
    std::map<std::uint32_t, Region> regions = regions_;
    for (std::span<const vfd::Team> part : image_.teams())
        for (const vfd::Team& team : part) {
            const auto found = regions.find(place(team.thread, team.node));
            if (found == regions.end())
                continue;
            found->second.team += team.ticks;
            found->second.largest = std::max(found->second.largest, team.largest);
        }
    auto ns = [this](std::uint64_t ticks) {
        return whole_ns(static_cast<double>(ticks) * image_.clock().ns_per_tick());
    };
    for (const auto& [node, region] : regions) {
        if (node == 0) // only in damaged files
            continue;
        std::uint64_t busy = 0, busiest = 0;
        for (const auto& [thread, ticks] : region.busy) {
            busy += ticks;
            busiest = std::max(busiest, ticks);
        }
        // Different threads of a runtime's pool may take part in successive calls, so the team may be smaller than
        // their number.
        const auto members = static_cast<std::uint32_t>(std::max<std::size_t>(region.largest, region.busy.size()));
        OpenMpRegion row;
        row.node = node;
        row.threads = region.largest ? region.largest : members;
        row.time = ns(region.time);
        const std::uint64_t team = region.team - std::min(region.team, region.lost);
        row.team = ns(team);
        row.wait = ns(team - std::min(team, busy));
        row.busiest = ns(busiest);
        row.average = ns(busy / members);
        profile.regions.push_back(row);
    }
}

} // namespace vftr::analysis
