// SPDX-License-Identifier: BSD-3-Clause
//
// Threads that could have run and had no core: there are more of them than cores, or other programs run beside.
#include "report/findings/finding.hpp"
#include "report/number_text.hpp"

namespace vftr::report {

std::vector<Found> find_no_core(const Evidence& evidence, std::uint64_t least) {
    const analysis::RankStat& waiting = evidence.profile.breakdown.of(analysis::Activity::NoCore);
    if (waiting.sum < least)
        return {};
    std::string text = "threads wait " + duration_text(waiting.sum) +
                       " for a core: there are more of them than cores, or other programs run beside";
    std::optional<std::int32_t> rank;
    if (evidence.profile.rank_count > 1) {
        rank = waiting.max_rank;
        text += "; rank " + std::to_string(*rank) + " waits longest, " + duration_text(waiting.max);
    }
    Found found{waiting.sum, std::move(text), {}, rank, {{"waiting_for_core_ns", waiting.sum}}};
    if (rank)
        found.why_late = "the waits of rank " + std::to_string(*rank) + " for a core";
    return {std::move(found)};
}

} // namespace vftr::report
