// SPDX-License-Identifier: BSD-3-Clause
#include "advice/observed.hpp"

#include "symbols/module_label.hpp"

#include <algorithm>
#include <numeric>

namespace vftr::advice {

bool Observed::has_cxx() const {
    return std::any_of(functions.begin(), functions.end(),
                       [](const Function& function) { return function.name.starts_with("_Z") || function.name.find('(') != std::string::npos; });
}

Observed observe(const analysis::Profile& profile) {
    std::vector<Function> functions;
    std::vector<std::uint32_t> of_name(profile.names.size(), NoFunction);
    Observed observed;
    observed.paths.reserve(profile.nodes.size());
    for (const analysis::PathNode& node : profile.nodes) {
        Path path{node.parent, NoFunction, node.calls, static_cast<double>(node.exclusive.sum), static_cast<double>(node.overhead)};
        observed.own += path.own;
        observed.hooks += path.hooks;
        if (node.kind == analysis::NodeKind::Function) {
            std::uint32_t& index = of_name[node.name];
            if (index == NoFunction) {
                index = static_cast<std::uint32_t>(functions.size());
                functions.emplace_back().name = symbols::without_module_id(profile.names[node.name]); // as filters know it
            }
            Function& function = functions[path.function = index];
            function.calls += path.calls;
            function.own += path.own;
            function.hooks += path.hooks;
            function.precise |= node.precise;
        }
        observed.paths.push_back(path);
    }
    std::vector<std::uint32_t> order(functions.size()), place(functions.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        const Function &x = functions[a], &y = functions[b];
        return x.hooks != y.hooks ? x.hooks > y.hooks : x.name < y.name;
    });
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        place[order[i]] = i;
        observed.functions.push_back(std::move(functions[order[i]]));
    }
    for (Path& path : observed.paths)
        if (path.function != NoFunction)
            path.function = place[path.function];
    return observed;
}

} // namespace vftr::advice
