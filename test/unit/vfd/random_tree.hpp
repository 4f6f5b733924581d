// SPDX-License-Identifier: BSD-3-Clause
//
// Call trees and estimates as programs have them: some hundred functions of which few are called in most places, mostly
// depth first, with times over some orders of magnitude.
#pragma once

#include "image_builder.hpp"

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace vftr::test {

// Nodes as an Image shows them; they must outlive it.
inline vfd::ThreadView view_of(const std::vector<vfd::Node>& nodes) {
    vfd::ThreadView view;
    view.node_chunks.emplace_back(nodes);
    view.chunk_first.push_back(0);
    view.node_count = static_cast<std::uint32_t>(nodes.size());
    return view;
}

// Ordinals and numbers of children are right, and inclusive times are those of the subtree, but where `odd` functions
// make them differ.
inline std::vector<vfd::Node> random_tree(std::uint32_t count, unsigned odd_percent = 1) {
    std::mt19937_64 random(count);
    const auto below = [&](std::uint64_t limit) { return random() % limit; };
    std::vector<vfd::Node> nodes{ImageBuilder::root()};
    std::uint32_t parent = 0;
    while (nodes.size() < count) {
        const auto id = static_cast<std::uint32_t>(nodes.size());
        switch (below(8)) { // where the next one is called
        case 0:
        case 1:
            for (std::uint64_t up = 1 + below(4); up != 0 && parent != 0; --up)
                parent = nodes[parent].parent;
            break;
        case 2:
        case 3:
            parent = id - 1;
            break;
        case 4:
            parent = below(20) == 0 ? static_cast<std::uint32_t>(below(id)) : parent;
        }
        const auto function = static_cast<std::uint64_t>(400 * std::pow(static_cast<double>(below(1000)) / 1000, 3));
        vfd::Node node =
            ImageBuilder::function(parent, 0x401000 + 48 * function, function % 7 == 0 ? vfd::NodePrecise : 0);
        node.module = static_cast<std::uint16_t>(1 + function % 3);
        node.exclusive = static_cast<std::uint64_t>(std::exp(4 + static_cast<double>(below(600)) / 100));
        node.calls = below(4) == 0 ? 1 + below(300) : 1;
        node.ordinal = nodes[parent].children++;
        nodes.push_back(node);
    }
    for (std::uint32_t id = count; id-- > 0;) {
        vfd::Node& node = nodes[id];
        node.inclusive += node.exclusive;
        if (below(100) < odd_percent) {
            node.inclusive += below(100000) - 50000;
            node.folded = below(50);
            node.countdown = static_cast<std::int32_t>(below(1000)) - 1;
            node.open = static_cast<std::uint32_t>(below(3));
            node.flags ^= vfd::NodeTimingSampled;
        }
        if (id != 0)
            nodes[node.parent].inclusive += node.inclusive;
    }
    return nodes;
}

// Of some of the nodes 1 to nodes-1, in their order.
inline std::vector<vfd::Estimate> random_estimates(std::uint32_t nodes, std::uint32_t count) {
    std::mt19937_64 random(nodes);
    std::vector<vfd::Estimate> estimates;
    for (std::uint32_t i = 0; i < count; ++i) {
        vfd::Estimate e{};
        e.node = 1 + i * (nodes / count) + static_cast<std::uint32_t>(random() % (nodes / count - 1));
        e.stride = 1 + static_cast<std::uint32_t>(random() % 8);
        if (i % 4 == 0) {
            e.count_only_calls = random() % 300000;
            e.weight = e.count_only_calls + random() % 2000;
            e.timed = e.count_only_calls / 9;
            e.own = static_cast<double>(e.count_only_calls * 71);
            e.variance = static_cast<double>(e.count_only_calls) * 1.7e3 / 3;
        }
        estimates.push_back(e);
    }
    return estimates;
}

} // namespace vftr::test
