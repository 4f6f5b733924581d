// SPDX-License-Identifier: BSD-3-Clause
//
// OpenMP's workers that have nothing to do, as the program is outside of parallel regions; and which function takes
// most time there.
#include "analysis/profile/waiting.hpp"
#include "report/findings/by_function.hpp"
#include "report/findings/finding.hpp"
#include "report/number_text.hpp"

namespace vftr::report {
namespace {

// The path with most time of those that are in no construct of OpenMP, functions of MPI included; 0: there is none.
std::uint32_t heaviest_outside(const analysis::Profile& profile) {
    std::vector<bool> inside(profile.nodes.size());
    std::uint32_t heaviest = 0;
    for (std::uint32_t id = 1; id < profile.nodes.size(); ++id) {
        const analysis::PathNode& node = profile.nodes[id];
        inside[id] = inside[node.parent] || node.kind == analysis::NodeKind::OpenMp;
        if (!inside[id] && !analysis::is_waiting(profile, id) && !begins_or_ends_mpi(profile, id) &&
            (heaviest == 0 || node.exclusive > profile.nodes[heaviest].exclusive))
            heaviest = id;
    }
    return heaviest;
}

} // namespace

std::vector<Found> find_serial_part(const Evidence& evidence, std::uint64_t least) {
    const std::uint64_t idle = evidence.profile.breakdown.of(analysis::Activity::OpenMpIdle).sum;
    const std::uint32_t heaviest = idle < least ? 0 : heaviest_outside(evidence.profile);
    if (heaviest == 0)
        return {};
    const std::uint64_t there = evidence.profile.nodes[heaviest].exclusive;
    return {{idle,
             "threads of OpenMP have nothing to do for " + duration_text(idle) +
                 " outside of parallel regions, where most time is in " + evidence.place(heaviest) + ": " +
                 duration_text(there),
             heaviest,
             {},
             {{"idle_ns", idle}, {"exclusive_ns", there}}}};
}

} // namespace vftr::report
