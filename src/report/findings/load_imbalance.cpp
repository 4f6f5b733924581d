// SPDX-License-Identifier: BSD-3-Clause
//
// Call paths on which one rank works longer than the ranks do on average. What a rank exceeds the average by, times the
// number of ranks, is what all of them lose if they wait for it afterwards.
#include "report/findings/by_function.hpp"
#include "report/findings/finding.hpp"
#include "report/number_text.hpp"

#include <algorithm>

namespace vftr::report {

std::vector<Found> find_load_imbalance(const Evidence& evidence, std::uint64_t least) {
    const analysis::Profile& profile = evidence.profile;
    std::vector<Found> found;
    if (profile.rank_count < 2)
        return found;
    const bool several_programs = profile.applications.size() > 1;
    for (std::uint32_t id = 1; id < profile.nodes.size(); ++id) {
        // What only the ranks of another program could do says nothing about these.
        if (!is_work(profile, id) || (several_programs && profile.nodes[id].ranks < profile.rank_count))
            continue;
        const analysis::RankStat time = profile.exclusive(id);
        const auto average = static_cast<std::uint64_t>(profile.average(time));
        const std::uint64_t lost = std::min((time.max - average) * profile.rank_count, evidence.whole);
        if (lost < least)
            continue;
        const std::string place = evidence.place(id);
        found.push_back({lost,
                         "rank " + std::to_string(time.max_rank) + " works " + duration_text(time.max) + " in " +
                             place + ", the ranks on average " + duration_text(average) +
                             (profile.summary.mpi ? ": the others may wait for it" : ""),
                         id,
                         time.max_rank,
                         {{"rank_ns", time.max}, {"average_ns", average}}});
        found.back().why_late = "the load imbalance in " + place;
    }
    return found;
}

} // namespace vftr::report
