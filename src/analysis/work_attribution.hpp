// SPDX-License-Identifier: BSD-3-Clause
//
// What threads do for others: which node of which thread a node of the kind AttributedWork stands for (vfd/format.hpp).
//
// A file may be damaged, or be read while other threads go on: the thread or target node may not be there, and nodes
// may mean each other in a circle. Such nodes mean nothing here, and what stands below them stays below the root. Which
// nodes these are depends on nothing but the file: all on a circle, not the one that somebody came by first.
#pragma once

#include "vfd/image.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>

namespace vftr::analysis {

struct NodeOfThread {
    std::uint32_t thread; // place in Image::threads()
    std::uint32_t node;
};

class WorkAttribution {
public:
    // The image need not outlive it.
    explicit WorkAttribution(const vfd::Image& image);

    bool empty() const { return target_.empty(); }
    // Whether there are AttributedWork nodes at all, even if they mean nothing.
    bool any_node() const { return any_node_; }
    // The node that this one stands for, which may be below another one that stands for something else; there are no
    // circles. nullopt: it is no AttributedWork node, or means nothing.
    std::optional<NodeOfThread> target(NodeOfThread attributed) const;
    // Whose time a node's exclusive time is: its own; of an AttributedWork node that of the one meant in the end, the
    // root's where it means nothing.
    NodeOfThread owner(const vfd::Image& image, NodeOfThread node) const;

private:
    std::unordered_map<std::uint64_t, NodeOfThread> target_; // by thread << 32 | node
    bool any_node_ = false;
};

} // namespace vftr::analysis
