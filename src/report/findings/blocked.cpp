// SPDX-License-Identifier: BSD-3-Clause
//
// Time in which threads neither computed nor waited for MPI, OpenMP or a core. For which function is not known, as the
// kernel counts by thread.
#include "report/findings/finding.hpp"
#include "report/number_text.hpp"

namespace vftr::report {

std::vector<Found> find_blocked(const Evidence& evidence, std::uint64_t least) {
    const std::uint64_t time = evidence.profile.breakdown.of(analysis::Activity::Blocked).sum;
    if (time < least)
        return {};
    return {{time,
             "threads are blocked for " + duration_text(time) + ": by input and output, on locks or asleep",
             {},
             {},
             {{"blocked_ns", time}}}};
}

} // namespace vftr::report
