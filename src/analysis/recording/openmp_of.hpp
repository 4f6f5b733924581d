// SPDX-License-Identifier: BSD-3-Clause
//
// The parallel regions of one process's recording: what each thread of a team did in them (openmp.hpp says what the
// numbers are).
#pragma once

#include "analysis/profile/profile.hpp"
#include "analysis/recording/messages_of.hpp"
#include "analysis/recording/placement.hpp"
#include "analysis/recording/thread_times.hpp"
#include "vfd/image.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace vftr::analysis {

// Image and placement must outlive it.
class RegionTimes {
public:
    RegionTimes(const vfd::Image& image, const Placement& placement) : image_(image), placement_(placement) {}

    // Adds a thread, given by its index into Image::threads(), whose paths have been placed.
    void add(std::uint32_t thread, const ThreadTimes& times);
    // Fills Profile::regions.
    void finish(Profile& profile, const PathOfNode& place) const;

private:
    struct Region {
        std::unordered_map<std::uint32_t, std::uint64_t> busy; // ticks, by thread
        std::uint64_t time = 0;                                // ticks of the threads that forked it
        std::uint64_t team = 0;
        std::uint64_t lost = 0; // the cost of the hooks while the members were busy; part of `team`
        std::uint32_t largest = 0;
    };
    // The work of a thread for one region: where it begins in the thread's tree, and the region.
    struct Part {
        std::uint32_t node;
        NodeOfThread region;
    };

    bool is_region(NodeOfThread node) const;
    std::optional<NodeOfThread> region_around(NodeOfThread node) const;
    std::optional<NodeOfThread> region_begun_at(NodeOfThread node, bool within) const;
    std::vector<Part> parts_of(std::uint32_t thread) const;

    const vfd::Image& image_;
    const Placement& placement_;
    std::map<std::uint32_t, Region> regions_; // by index into Profile::nodes
};

} // namespace vftr::analysis
