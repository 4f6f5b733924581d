// SPDX-License-Identifier: BSD-3-Clause
//
// Functions in which one rank works longer than the ranks do on average. What a rank exceeds the average by, times the
// number of ranks, is what all of them lose if they wait for it afterwards.
#include "report/findings/by_function.hpp"
#include "report/findings/finding.hpp"
#include "report/number_text.hpp"

#include <map>
#include <utility>

namespace vftr::report {

std::vector<Found> find_load_imbalance(const Evidence& evidence, std::uint64_t least) {
    const analysis::Profile& profile = evidence.profile;
    std::vector<Found> found;
    if (profile.rank_count < 2)
        return found;
    struct Excess {
        double ns = 0, average = 0;
        std::uint32_t heaviest = 0;
        double most = 0; // of the heaviest path
    };
    std::map<std::pair<std::uint32_t, std::int32_t>, Excess> excesses; // by function and rank
    for (std::uint32_t id = 1; id < profile.nodes.size(); ++id) {
        if (!is_work(profile, id))
            continue;
        const analysis::RankStat time = profile.exclusive(id);
        const double average = profile.average(time), more = static_cast<double>(time.max) - average;
        Excess& excess = excesses[{profile.nodes[id].name, time.max_rank}];
        excess.ns += more;
        excess.average += average;
        if (more > excess.most) {
            excess.most = more;
            excess.heaviest = id;
        }
    }
    for (const auto& [function_and_rank, excess] : excesses) {
        const auto lost = static_cast<std::uint64_t>(excess.ns * profile.rank_count);
        if (excess.heaviest == 0 || lost < least)
            continue;
        const std::int32_t rank = function_and_rank.second;
        const auto of_rank = static_cast<std::uint64_t>(excess.average + excess.ns),
                   average = static_cast<std::uint64_t>(excess.average);
        found.push_back({lost,
                         "rank " + std::to_string(rank) + " works " + duration_text(of_rank) + " in " +
                             evidence.place(excess.heaviest) + ", the ranks on average " + duration_text(average) +
                             (profile.summary.mpi ? ": the others may wait for it" : ""),
                         excess.heaviest,
                         rank,
                         {{"rank_ns", of_rank}, {"average_ns", average}}});
    }
    return found;
}

} // namespace vftr::report
