// SPDX-License-Identifier: BSD-3-Clause
// The record of one thread, for tests of what is made of its times.
#pragma once

#include "times_by_column.hpp"

#include "../vfd/image_builder.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace vftr::test {

// The same for all timed calls.
inline vfd::HookCosts timed_costs(double timed, double inside) {
    return {.timed = timed,
            .inside = inside,
            .timed_long = timed,
            .inside_long = inside,
            .timed_rare = timed,
            .inside_rare = inside,
            .folded = 0,
            .count_only = 0,
            .count_only_apart = 0,
            .nesting = 0,
            .excluded = 0};
}

struct Recording {
    std::vector<vfd::Node> nodes{ImageBuilder::root()};
    std::vector<vfd::Estimate> estimates;
    std::vector<vfd::UnseenCalls> unseen;
    vfd::HookCosts costs{};
    vfd::ThreadRecord record{};

    std::uint32_t add(std::uint32_t parent, std::uint64_t calls, std::uint64_t exclusive, std::uint64_t inclusive) {
        vfd::Node node = ImageBuilder::function(parent, nodes.size());
        node.calls = calls;
        node.exclusive = exclusive;
        node.inclusive = inclusive;
        nodes.push_back(node);
        return static_cast<std::uint32_t>(nodes.size() - 1);
    }
    vfd::Estimate& estimate(std::uint32_t node, std::uint64_t count_only_calls, std::uint64_t weight, double own) {
        vfd::Estimate estimate{};
        estimate.node = node;
        estimate.count_only_calls = count_only_calls;
        estimate.weight = weight;
        estimate.own = own;
        return estimates.emplace_back(estimate);
    }
    vfd::ThreadView view() const {
        vfd::ThreadView view{};
        view.record = &record;
        view.node_count = static_cast<std::uint32_t>(nodes.size());
        view.node_chunks = {std::span(nodes).first(1), std::span(nodes).subspan(1)};
        view.chunk_first = {0, 1};
        view.estimates = estimates;
        view.unseen = unseen;
        return view;
    }
    TimesByColumn times() const { return analysis::thread_times(view(), costs, 0); }
};

} // namespace vftr::test
