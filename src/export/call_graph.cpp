// SPDX-License-Identifier: BSD-3-Clause
#include "export/call_graph.hpp"

#include "export/depth_first.hpp"
#include "report/shown_names.hpp"

#include <unordered_map>
#include <utility>

namespace vftr::exports {

CallGraph call_graph(const analysis::Profile& profile) {
    CallGraph graph;
    const report::ShownNames names(profile);
    std::unordered_map<std::string, std::uint32_t> known;
    std::vector<std::uint32_t> open; // by function: how often it is on the path
    struct Step {
        std::uint32_t function;
        std::uint32_t* open_calls; // how often this call is on the path; nullptr for the root
    };
    std::vector<Step> way;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> open_calls;
    for (const Visit visit : depth_first(profile)) {
        for (; way.size() > visit.depth; way.pop_back()) {
            --open[way.back().function];
            if (way.back().open_calls)
                --*way.back().open_calls;
        }
        const analysis::PathNode& node = profile.nodes[visit.node];
        const auto [place, is_new] =
            known.try_emplace(names.of(visit.node), static_cast<std::uint32_t>(graph.functions.size()));
        const std::uint32_t id = place->second;
        if (is_new) {
            graph.functions.push_back({place->first, visit.node});
            open.push_back(0);
        }
        CallGraph::Function& function = graph.functions[id];
        function.calls += node.calls;
        function.exclusive += node.exclusive;
        if (open[id]++ == 0)
            function.inclusive += node.inclusive;
        std::uint32_t* now_open = nullptr;
        if (!way.empty()) {
            const std::pair edge(way.back().function, id);
            CallGraph::Calls& calls = graph.calls[edge];
            calls.calls += node.calls;
            now_open = &open_calls[edge];
            if ((*now_open)++ == 0)
                calls.inclusive += node.inclusive;
        }
        way.push_back({id, now_open});
    }
    return graph;
}

} // namespace vftr::exports
