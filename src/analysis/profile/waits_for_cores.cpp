// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/profile/waits_for_cores.hpp"

#include <algorithm>
#include <cstddef>

namespace vftr::analysis {
namespace {

std::uint64_t less(std::uint64_t a, std::uint64_t b) { return a - std::min(a, b); }

// The time in MPI functions in which ranks were off the processor, at most; 0 where their CPU time is not known.
std::uint64_t off_cpu_in_mpi(const Profile& profile) {
    if (profile.summary.cpu == 0)
        return 0;
    const Breakdown& breakdown = profile.breakdown;
    std::uint64_t off = less(breakdown.sum(), profile.summary.cpu);
    for (Activity elsewhere : {Activity::NoCore, Activity::Blocked, Activity::Paused})
        off = less(off, breakdown.of(elsewhere).sum);
    return off;
}

} // namespace

WaitsForCores waits_for_cores(const Profile& profile) {
    WaitsForCores waits;
    const Breakdown& breakdown = profile.breakdown;
    const std::uint64_t ranks = profile.rank_count;
    if (ranks < 2)
        return waits;
    for (std::size_t i = 0; i < ActivityCount; ++i)
        if (const auto activity = static_cast<Activity>(i); is_mpi(activity) && activity != Activity::MpiBeginEnd)
            waits.mpi += breakdown.times[i].sum;
    const RankStat& without = breakdown.of(Activity::NoCore);
    const std::uint64_t in_mpi = std::min(off_cpu_in_mpi(profile), waits.mpi);
    waits.at_most = std::min((ranks - 1) * without.sum + ranks * in_mpi, waits.mpi);
    waits.together = std::min(less(ranks * without.max, without.sum), waits.at_most);
    const std::uint64_t outside = breakdown.outside_mpi.max;
    waits.communication_efficiency =
        Breakdown::ratio(outside, std::max(outside, less(breakdown.longest, without.sum + in_mpi)));
    constexpr unsigned Least = 50, LeastOfMpi = 1000; // parts of all time that matter
    const std::uint64_t all = breakdown.sum();
    waits.matter = std::max(without.sum, ranks * without.max) > all / Least && waits.at_most > all / LeastOfMpi;
    return waits;
}

} // namespace vftr::analysis
