// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/placement.hpp"

#include <utility>

namespace vftr::analysis {

Placement::Placement(const vfd::Image& image, Child child)
    : image_(image), child_(std::move(child)), attribution_(image) {
    places_.reserve(image.threads().size());
    for (const vfd::ThreadView& thread : image.threads()) {
        places_.emplace_back(thread.node_count, Missing);
        if (thread.node_count != 0)
            places_.back()[0] = 0;
    }
}

// The node that must be placed before this one: its caller, or the target node of an AttributedWork node (the root
// where it has none). A running writer must not change callers in between.
NodeOfThread Placement::before(NodeOfThread at) const {
    const vfd::Node& node = image_.threads()[at.thread].node(at.node);
    if (node.kind == vfd::NodeKind::AttributedWork)
        return attribution_.target(at).value_or(NodeOfThread{at.thread, 0});
    return {at.thread, node.parent < at.node ? node.parent : 0};
}

std::uint32_t Placement::place(NodeOfThread at) {
    pending_.clear();
    while (places_[at.thread][at.node] == Missing) {
        pending_.push_back(at);
        at = before(at);
    }
    std::uint32_t place = places_[at.thread][at.node];
    for (; !pending_.empty(); pending_.pop_back()) {
        at = pending_.back();
        const vfd::Node& node = image_.threads()[at.thread].node(at.node);
        if (node.kind != vfd::NodeKind::AttributedWork)
            place = child_(place, node);
        places_[at.thread][at.node] = place;
    }
    return place;
}

std::uint32_t Placement::known(NodeOfThread node) const {
    const std::uint32_t place = places_[node.thread][node.node];
    return place == Missing ? 0 : place;
}

} // namespace vftr::analysis
