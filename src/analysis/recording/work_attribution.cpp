// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/work_attribution.hpp"

#include "analysis/profile/each_node.hpp"

#include <vector>

namespace vftr::analysis {
namespace {

constexpr std::uint32_t None = 0xffffffff;

struct AttributedWork {
    NodeOfThread node;
    NodeOfThread target;
    std::uint32_t next = None; // the innermost AttributedWork node that the target is, or is below
};

std::uint64_t key_of(NodeOfThread place) { return std::uint64_t{place.thread} << 32 | place.node; }

std::optional<NodeOfThread> named_by(const vfd::Node& node, const vfd::Image& image) {
    const auto thread = static_cast<std::uint32_t>((node.key & ~vfd::AttributedWorkKey) >> 32),
               id = static_cast<std::uint32_t>(node.key);
    const vfd::ThreadView* view = image.thread(thread);
    if (!(node.key & vfd::AttributedWorkKey) || !view || id >= view->node_count)
        return std::nullopt;
    return NodeOfThread{static_cast<std::uint32_t>(view - image.threads().data()), id};
}

class Finder {
public:
    explicit Finder(const vfd::Image& image) {
        innermost_.resize(image.threads().size());
        for (std::uint32_t thread = 0; thread < image.threads().size(); ++thread)
            read(image, thread);
        for (AttributedWork& attributed : all_)
            attributed.next = innermost(attributed.target);
    }

    bool any_node() const { return any_node_; }

    // Finds the nodes with a valid target that are not on a circle. Each node has one successor, so a walk that returns
    // to its start has found the complete circle.
    template <class Visit>
    void for_each_sound(Visit visit) const {
        std::vector<std::uint32_t> walk(all_.size(), None);
        std::vector<bool> on_circle(all_.size());
        for (std::uint32_t start = 0; start < all_.size(); ++start) {
            std::uint32_t at = start;
            for (; at != None && walk[at] == None; at = all_[at].next)
                walk[at] = start;
            if (at != None && walk[at] == start)
                for (; !on_circle[at]; at = all_[at].next)
                    on_circle[at] = true;
        }
        for (std::size_t i = 0; i < all_.size(); ++i)
            if (!on_circle[i])
                visit(all_[i]);
    }

private:
    void read(const vfd::Image& image, std::uint32_t thread) {
        const vfd::ThreadView& view = image.threads()[thread];
        if (!view.has(vfd::NodeKind::AttributedWork))
            return;
        any_node_ = true;
        std::vector<std::uint32_t>& innermost = innermost_[thread];
        for_each_node(view, [&](std::uint32_t id, const vfd::Node& node) {
            const auto target = node.kind == vfd::NodeKind::AttributedWork ? named_by(node, image) : std::nullopt;
            if (!target && innermost.empty())
                return;
            if (innermost.empty())
                innermost.resize(view.node_count, None);
            // The paths below such a node without a valid target are placed below the root, so the search ends here.
            if (node.kind != vfd::NodeKind::AttributedWork)
                innermost[id] = node.parent < id ? innermost[node.parent] : None;
            if (target) {
                innermost[id] = static_cast<std::uint32_t>(all_.size());
                all_.push_back({{thread, id}, *target});
            }
        });
    }

    std::uint32_t innermost(NodeOfThread place) const {
        const std::vector<std::uint32_t>& of_thread = innermost_[place.thread];
        return of_thread.empty() ? None : of_thread[place.node];
    }

    bool any_node_ = false;
    std::vector<AttributedWork> all_;
    // By thread and node: the innermost AttributedWork node that the node is, or is below, as an index into all_; empty
    // for a thread without such nodes.
    std::vector<std::vector<std::uint32_t>> innermost_;
};

} // namespace

WorkAttribution::WorkAttribution(const vfd::Image& image) {
    const Finder finder(image);
    any_node_ = finder.any_node();
    finder.for_each_sound(
        [this](const AttributedWork& attributed) { target_.emplace(key_of(attributed.node), attributed.target); });
}

std::optional<NodeOfThread> WorkAttribution::target(NodeOfThread attributed) const {
    const auto found = target_.find(key_of(attributed));
    return found == target_.end() ? std::nullopt : std::optional(found->second);
}

NodeOfThread WorkAttribution::owner(const vfd::Image& image, NodeOfThread at) const {
    while (image.threads()[at.thread].node(at.node).kind == vfd::NodeKind::AttributedWork)
        at = target(at).value_or(NodeOfThread{at.thread, 0});
    return at;
}

} // namespace vftr::analysis
