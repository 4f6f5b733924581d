// SPDX-License-Identifier: BSD-3-Clause
//
// Parallel regions whose threads wait: at the end for the one that works longest, or at barriers, locks and for tasks.
#include "report/findings/finding.hpp"
#include "report/number_text.hpp"

namespace vftr::report {

std::vector<Found> find_openmp_waiting(const Evidence& evidence, std::uint64_t least) {
    constexpr double Uneven = 10; // percent by which the busiest thread exceeds the average
    std::vector<Found> found;
    for (const analysis::OpenMpRegion& region : evidence.profile.regions) {
        if (region.team == 0 || region.wait < least)
            continue;
        std::string text =
            "threads wait " + duration_text(region.wait) + " in the region " + evidence.place(region.node) + ", " +
            percent(static_cast<double>(region.wait) / static_cast<double>(region.team)) + " of their time there";
        if (region.imbalance() > Uneven)
            text += "; the busiest works " + fixed(region.imbalance(), 0) + " % more than they do on average";
        found.push_back({region.wait,
                         std::move(text),
                         region.node,
                         {},
                         {{"wait_ns", region.wait},
                          {"team_ns", region.team},
                          {"busiest_ns", region.busiest},
                          {"average_ns", region.average}}});
    }
    return found;
}

} // namespace vftr::report
