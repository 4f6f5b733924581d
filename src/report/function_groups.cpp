// SPDX-License-Identifier: BSD-3-Clause
#include "report/function_groups.hpp"

#include "analysis/profile/waiting.hpp"

#include <algorithm>

namespace vftr::report {

using analysis::Profile;

namespace {

// The group of a path: the index of its name; the root has the group after all names.
std::size_t group_of(const Profile& profile, std::uint32_t path) {
    return path == 0 ? profile.names.size() : profile.nodes[path].name;
}

// By path: whether its function also occurs further out on the path. The tree is walked depth first, without recursion.
std::vector<bool> nested_paths(const Profile& profile) {
    constexpr std::uint32_t None = 0xffffffff;
    const std::vector<analysis::PathNode>& nodes = profile.nodes;
    std::vector<std::uint32_t> first_child(nodes.size(), None), sibling(nodes.size(), None);
    for (auto id = static_cast<std::uint32_t>(nodes.size()); id-- > 1;) {
        sibling[id] = first_child[nodes[id].parent];
        first_child[nodes[id].parent] = id;
    }
    std::vector<bool> nested(nodes.size());
    if (nodes.empty())
        return nested;
    std::vector<std::uint32_t> active(profile.names.size() + 1); // by group: occurrences on the path of `at`
    std::uint32_t at = 0;
    while (at != None) {
        std::uint32_t& entries = active[group_of(profile, at)];
        nested[at] = entries != 0;
        if (first_child[at] != None) {
            ++entries;
            at = first_child[at];
            continue;
        }
        while (at != 0 && sibling[at] == None) {
            at = nodes[at].parent;
            --active[group_of(profile, at)];
        }
        at = at == 0 ? None : sibling[at];
    }
    return nested;
}

} // namespace

std::vector<FunctionGroup> function_groups(const Profile& profile, std::size_t most_shown) {
    std::vector<FunctionGroup> groups(profile.names.size() + 1);
    std::vector<bool> nested = nested_paths(profile);
    for (std::uint32_t id = 0; id < profile.nodes.size(); ++id) {
        const analysis::PathNode& node = profile.nodes[id];
        if (!node.calls && !node.exclusive && !node.inclusive)
            continue;
        FunctionGroup& group = groups[group_of(profile, id)];
        if (group.paths++ == 0) {
            group.first_path = id;
            group.waits = analysis::is_waiting(profile, id);
        }
        group.calls.add(node);
        group.excluded |= node.excluded;
        group.exclusive += node.exclusive;
        group.uncertainty.add(node);
        if (!nested[id])
            group.inclusive += node.inclusive;
        if (group.shown_paths.size() < most_shown)
            group.shown_paths.push_back(id);
    }
    std::erase_if(groups, [](const FunctionGroup& group) { return group.paths == 0; });
    std::sort(groups.begin(), groups.end(),
              [](const FunctionGroup& a, const FunctionGroup& b) { return a.first_path < b.first_path; });
    return groups;
}

} // namespace vftr::report
