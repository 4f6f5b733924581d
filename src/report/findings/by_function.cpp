// SPDX-License-Identifier: BSD-3-Clause
#include "report/findings/by_function.hpp"

#include "analysis/recording/breakdown_of.hpp"

namespace vftr::report {

using analysis::NodeKind;

bool begins_or_ends_mpi(const analysis::Profile& profile, std::uint32_t node) {
    const analysis::PathNode& path = profile.nodes[node];
    return path.kind == NodeKind::Mpi &&
           analysis::activity_of_mpi(profile.names[path.name]) == analysis::Activity::MpiBeginEnd;
}

std::vector<FunctionSum> by_function(const analysis::Profile& profile) {
    std::vector<FunctionSum> sums(profile.names.size());
    for (std::uint32_t id = 1; id < profile.nodes.size(); ++id) {
        if (!is_work(profile, id))
            continue;
        const analysis::PathNode& node = profile.nodes[id];
        FunctionSum& sum = sums[node.name];
        if (sum.paths++ == 0 || node.exclusive > profile.nodes[sum.heaviest].exclusive)
            sum.heaviest = id;
        sum.exclusive += node.exclusive;
        sum.overhead += node.overhead;
        sum.calls += node.calls;
        sum.uncertainty.add(node);
    }
    std::erase_if(sums, [](const FunctionSum& sum) { return sum.paths == 0; });
    return sums;
}

} // namespace vftr::report
