// SPDX-License-Identifier: BSD-3-Clause
//
// Where ranks waited for each other, and for whom (analysis/timeline/wait_states.hpp). Needs the timelines of all
// ranks.
#include "report/findings/finding.hpp"
#include "report/number_text.hpp"

namespace vftr::report {

std::vector<Found> find_wait_state(const Evidence& evidence, std::uint64_t least) {
    std::vector<Found> found;
    if (!evidence.waits)
        return found;
    for (const analysis::WaitSum& sum : evidence.waits->sums) {
        if (sum.state == analysis::WaitState::EarlyExit || sum.ns < least)
            continue; // nobody is late to an early exit
        std::string text = "ranks wait " + duration_text(sum.ns) + " in " + evidence.place(sum.path) + " (" +
                           analysis::name_of(sum.state) + ", " + counted(sum.waits, "wait") + ")";
        std::optional<std::int32_t> rank;
        if (sum.cause_ns != 0) {
            rank = static_cast<std::int32_t>(sum.cause_rank);
            text += ", " + duration_text(sum.cause_ns) + " of it for rank " + std::to_string(sum.cause_rank);
        }
        found.push_back({sum.ns,
                         std::move(text),
                         sum.path,
                         rank,
                         {{"wait_ns", sum.ns}, {"waits", sum.waits}, {"cause_ns", sum.cause_ns}}});
        found.back().others_wait = true;
    }
    return found;
}

} // namespace vftr::report
