// SPDX-License-Identifier: BSD-3-Clause
#include "export/reversed.hpp"

#include <deque>
#include <map>
#include <utility>
#include <vector>

namespace vftr::exports {

namespace {

// A path that has time of its own, and the one of its callers that has been reached.
struct Traced {
    std::uint32_t path, caller;
};
struct Group {
    std::uint32_t node; // of the new tree
    std::vector<Traced> traced;
};

} // namespace

analysis::Profile reversed(const analysis::Profile& profile, std::uint64_t smallest) {
    analysis::Profile result;
    result.names = profile.names;
    result.names.push_back("all functions");
    result.nodes.emplace_back();
    result.nodes[0].name = static_cast<std::uint32_t>(profile.names.size());
    std::deque<Group> open(1); // those whose callers are to be told apart
    for (std::uint32_t path = 0; path < profile.nodes.size(); ++path)
        if (profile.nodes[path].exclusive != 0) {
            open.front().traced.push_back({path, path});
            result.nodes[0].inclusive += profile.nodes[path].exclusive;
        }
    for (; !open.empty(); open.pop_front()) {
        const std::uint32_t below = open.front().node;
        std::map<std::uint32_t, std::vector<Traced>> by_name;
        for (const Traced traced : open.front().traced)
            by_name[profile.nodes[traced.caller].name].push_back(traced);
        for (auto& [name, traced] : by_name) {
            Group group{static_cast<std::uint32_t>(result.nodes.size()), {}};
            analysis::PathNode node;
            node.parent = below;
            node.name = name;
            node.kind = profile.nodes[traced.front().caller].kind;
            for (const Traced one : traced) {
                const analysis::PathNode& path = profile.nodes[one.path];
                node.inclusive += path.exclusive;
                node.calls += path.calls;
                if (one.caller == 0)
                    node.exclusive += path.exclusive; // nothing calls the root
                else
                    group.traced.push_back({one.path, profile.nodes[one.caller].parent});
            }
            if (node.inclusive < smallest) {
                node.exclusive = node.inclusive;
                group.traced.clear();
            }
            result.nodes.push_back(node);
            if (!group.traced.empty())
                open.push_back(std::move(group));
        }
    }
    return result;
}

} // namespace vftr::exports
