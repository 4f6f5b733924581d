// SPDX-License-Identifier: BSD-3-Clause
//
// Work that threads do for others: finds the target node, on another thread, of each node of the kind AttributedWork
// (vfd/format.hpp).
//
// A file may be damaged, or be read while its threads still run: then the thread or the target node may be missing, and
// nodes may target each other in a circle. Such nodes have no valid target, and the paths below them are placed below
// the root. Which nodes these are depends only on the file: all nodes of a circle are invalid, not only the one that
// was visited first.
#pragma once

#include "vfd/image.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace vftr::analysis {

struct NodeOfThread {
    std::uint32_t thread; // index into Image::threads()
    std::uint32_t node;
};

class WorkAttribution {
public:
    // The image need not outlive it.
    explicit WorkAttribution(const vfd::Image& image);

    bool empty() const { return target_.empty(); }
    // Whether there are any AttributedWork nodes, even such without a valid target.
    bool any_node() const { return any_node_; }
    // The target node. It may itself be below another AttributedWork node, but never in a circle. nullopt: `attributed`
    // is not an AttributedWork node, or has no valid target.
    std::optional<NodeOfThread> target(NodeOfThread attributed) const;
    // Resolves the node that is charged with a node's exclusive time: the node itself, or for an AttributedWork node
    // its final target (the root where there is no valid one).
    NodeOfThread owner(const vfd::Image& image, NodeOfThread node) const;

private:
    std::unordered_map<std::uint64_t, NodeOfThread> target_; // by thread << 32 | node
    bool any_node_ = false;
};

} // namespace vftr::analysis
