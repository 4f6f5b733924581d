// SPDX-License-Identifier: BSD-3-Clause
//
// Placement merges the call trees of all threads of a recording into one tree, and tells for each node of a thread the
// index of its path in that tree. The roots become one root, nodes of equal names below one caller become one path, and
// work that a thread did for another is placed below the path of the other. Profiles, timelines and messages all use
// it.
//
// A node gets its path when place() is first called for it, after its callers, whichever thread they belong to: a
// worker may come before the thread that forked it, and the nodes of a nested team are below a node that is itself
// placed below one of another thread.
#pragma once

#include "analysis/recording/work_attribution.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace vftr::analysis {

// Not thread-safe. The Image must outlive it.
class Placement {
public:
    // Returns the index of the path for `node` below the path `parent`, and creates that path where it is new. It is
    // never called for roots and AttributedWork nodes.
    using Child = std::function<std::uint32_t(std::uint32_t parent, const vfd::Node& node)>;

    Placement(const vfd::Image& image, Child child);

    // The index of the node's path. An AttributedWork node has the path of its target node. Roots have index 0, and so
    // have AttributedWork nodes without a valid target.
    std::uint32_t place(NodeOfThread node);
    // As above, but faster where the caller has the Node at hand. Where the node's caller has been placed already, as
    // is usual, `child` is called instead of the constructor's `child`; it must do the same.
    template <class Direct>
    std::uint32_t place(NodeOfThread at, const vfd::Node& node, Direct child) {
        std::vector<std::uint32_t>& places = places_[at.thread];
        if (places[at.node] != Missing)
            return places[at.node];
        if (node.kind == vfd::NodeKind::AttributedWork || node.parent >= at.node || places[node.parent] == Missing)
            return place(at);
        const std::uint32_t place = child(places[node.parent], node);
        return places[at.node] = place;
    }
    // The path index of a node that has been placed; 0 if it has not been.
    std::uint32_t known(NodeOfThread node) const;
    const WorkAttribution& attribution() const { return attribution_; }

private:
    static constexpr std::uint32_t Missing = 0xffffffff;

    NodeOfThread before(NodeOfThread node) const;

    const vfd::Image& image_;
    Child child_;
    WorkAttribution attribution_;
    std::vector<std::vector<std::uint32_t>> places_; // by thread and node
    std::vector<NodeOfThread> pending_;
};

} // namespace vftr::analysis
