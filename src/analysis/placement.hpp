// SPDX-License-Identifier: BSD-3-Clause
//
// Where the call paths of all threads of a recording are in one tree: roots on the root, equal names below one caller
// on one path, and what a thread did for another below the path of that other. The one implementation for profiles,
// timelines and messages.
//
// A path is placed when it is asked for, its callers before it, wherever they are: a worker may come before the
// thread that forked it, and a team within a team hangs on a node that hangs elsewhere itself.
#pragma once

#include "analysis/work_attribution.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace vftr::analysis {

// One thread at a time. The Image must outlive it.
class Placement {
public:
    // The place of what `node` calls from the path `parent`, which is made where it is new. Never asked for roots and
    // AttributedWork nodes.
    using Child = std::function<std::uint32_t(std::uint32_t parent, const vfd::Node& node)>;

    Placement(const vfd::Image& image, Child child);

    // An AttributedWork node is where the one is that it means; the root's place is 0, and so is that of what means
    // nothing.
    std::uint32_t place(NodeOfThread node);
    // The same where its Node is at hand, and as a rule its caller has a place: then `child` is called, which does what
    // the constructor's does.
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
    // Of one that has been placed; 0: it has not.
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
