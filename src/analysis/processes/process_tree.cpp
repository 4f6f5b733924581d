// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/processes/process_tree.hpp"

namespace vftr::analysis {

std::vector<bool> ProcessTree::descendants_of(const vfd::RecordingId& root) const {
    auto is = [&](const vfd::RecordingId& id) {
        return id.pid == root.pid && id.start_realtime_ns == root.start_realtime_ns;
    };
    std::vector<bool> found(nodes_.size());
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
        const Recording* r = recording(node);
        if (found[node] || !(is(nodes_[node].id) || (r && r->parent && is(*r->parent))))
            continue;
        walk(node, [&](std::uint32_t below, std::uint32_t) {
            if (found[below])
                return false;
            found[below] = true;
            return true;
        });
    }
    return found;
}

std::uint64_t ProcessTree::processes_under(std::uint32_t root) const {
    std::uint64_t count = 0;
    std::vector<bool> next(nodes_.size());
    walk(root, [&](std::uint32_t node, std::uint32_t) {
        const ProcessNode& here = nodes_[node];
        if (here.next != NoNodeIndex && here.kind == ProcessNode::Kind::Program)
            next[here.next] = true;
        if (here.kind == ProcessNode::Kind::Program && !next[node])
            ++count;
        else if (here.kind == ProcessNode::Kind::Job &&
                 here.ranks < static_cast<std::uint32_t>(recording(node) ? recording(node)->size : 0))
            count += static_cast<std::uint32_t>(recording(node)->size) - here.ranks;
        return true;
    });
    return count;
}

} // namespace vftr::analysis
