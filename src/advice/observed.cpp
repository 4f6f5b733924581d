// SPDX-License-Identifier: BSD-3-Clause
#include "advice/observed.hpp"

#include "analysis/profile/waiting.hpp"
#include "symbols/module_label.hpp"
#include "symbols/qualified_name.hpp"
#include "symbols/shared_names.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace vftr::advice {

bool Observed::has_cxx() const {
    return std::any_of(functions.begin(), functions.end(), [](const Function& function) {
        return function.name.starts_with("_Z") || symbols::without_origin(function.name).find('(') != std::string::npos;
    });
}

namespace {

bool is_own_time(const analysis::Profile& profile, std::uint32_t node) {
    return profile.nodes[node].kind != analysis::NodeKind::Mpi && !analysis::is_waiting(profile, node);
}

// Where a process was killed or still runs, its CPU time is that of an earlier moment, so it is not used.
bool knows_cpu(const analysis::Summary& summary) {
    return summary.cpu != 0 && summary.unfinished == 0 && summary.recovered == 0;
}

} // namespace

Observed observe(const analysis::Profile& profile) {
    std::vector<Function> functions;
    std::vector<std::uint32_t> of_name(profile.names.size(), NoFunction);
    const symbols::ShownQualifiers qualifiers(profile.names);
    Observed observed;
    observed.cpu_known = knows_cpu(profile.summary);
    double taken = 0; // cost of hooks in the time of the program's own functions
    observed.paths.reserve(profile.nodes.size());
    for (const analysis::PathNode& node : profile.nodes) {
        Path path{node.parent, NoFunction, node.calls, static_cast<double>(node.exclusive),
                  static_cast<double>(node.overhead)};
        observed.hooks += path.hooks;
        if (is_own_time(profile, static_cast<std::uint32_t>(&node - profile.nodes.data()))) {
            observed.program += path.own;
            taken += std::max(static_cast<double>(node.raw_exclusive) - path.own, 0.0);
        }
        if (node.kind == analysis::NodeKind::Function) {
            std::uint32_t& index = of_name[node.name];
            if (index == NoFunction) {
                index = static_cast<std::uint32_t>(functions.size());
                // Filters know the function by this name.
                functions.emplace_back().name = symbols::without_module_id(qualifiers.of(profile.names[node.name]));
            }
            Function& function = functions[path.function = index];
            function.calls += path.calls;
            function.own += path.own;
            function.hooks += path.hooks;
            function.precise |= node.precise;
            function.uncertainty.add(node);
        }
        observed.paths.push_back(path);
    }
    // The program gets at least this part of the CPU time, as the cost of hooks is only known to a third.
    constexpr double LeastPart = 0.05;
    if (const auto cpu = static_cast<double>(profile.summary.cpu); observed.cpu_known)
        observed.program = std::min(observed.program, std::max(cpu - taken, LeastPart * cpu));
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
