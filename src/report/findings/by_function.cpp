// SPDX-License-Identifier: BSD-3-Clause
#include "report/findings/by_function.hpp"

#include "analysis/profile/waiting.hpp"
#include "analysis/recording/breakdown_of.hpp"

namespace vftr::report {

using analysis::NodeKind;

bool is_work(const analysis::Profile& profile, std::uint32_t node) {
    const NodeKind kind = profile.nodes[node].kind;
    // The region that mpi.show_sync_time adds below an MPI call.
    if (kind == NodeKind::Region && profile.nodes[profile.nodes[node].parent].kind == NodeKind::Mpi)
        return false;
    return node != 0 && kind != NodeKind::Mpi && kind != NodeKind::Overflow && !analysis::is_waiting(profile, node);
}

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
