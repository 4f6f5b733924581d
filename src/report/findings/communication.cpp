// SPDX-License-Identifier: BSD-3-Clause
//
// Time in MPI, without MPI_Init, MPI_Finalize and similar functions: how much of all, and where most of it is.
#include "report/findings/by_function.hpp"
#include "report/findings/finding.hpp"
#include "report/number_text.hpp"

namespace vftr::report {

using analysis::Activity;

namespace {

std::uint64_t time_in_mpi(const analysis::Breakdown& breakdown) {
    std::uint64_t time = 0;
    for (std::size_t i = 0; i < analysis::ActivityCount; ++i)
        if (const auto activity = static_cast<Activity>(i);
            analysis::is_mpi(activity) && activity != Activity::MpiBeginEnd)
            time += breakdown.times[i].sum;
    return time;
}

// The path of an MPI function with most time; 0: there is none.
std::uint32_t heaviest_of_mpi(const analysis::Profile& profile) {
    std::uint32_t heaviest = 0;
    for (std::uint32_t id = 1; id < profile.nodes.size(); ++id)
        if (const analysis::PathNode& node = profile.nodes[id];
            node.kind == analysis::NodeKind::Mpi && !begins_or_ends_mpi(profile, id) &&
            (heaviest == 0 || node.exclusive > profile.nodes[heaviest].exclusive))
            heaviest = id;
    return heaviest;
}

// Whether the others can have waited half of the time in MPI for the rank that is outside of it longest: because it
// works there, or has no core.
bool explains_half(const analysis::Breakdown& breakdown, std::uint32_t ranks, std::uint64_t in_mpi) {
    if (ranks < 2)
        return false;
    const auto all_lose = [&](const analysis::RankStat& time) { return (time.max - time.sum / ranks) * ranks; };
    const analysis::RankStat &outside = breakdown.outside_mpi, &no_core = breakdown.of(Activity::NoCore);
    return all_lose(outside) + (no_core.max_rank == outside.max_rank ? all_lose(no_core) : 0) >= in_mpi / 2;
}

} // namespace

std::vector<Found> find_communication(const Evidence& evidence, std::uint64_t least) {
    const analysis::Profile& profile = evidence.profile;
    const std::uint64_t time = time_in_mpi(profile.breakdown);
    const std::uint32_t heaviest = time < least ? 0 : heaviest_of_mpi(profile);
    if (heaviest == 0)
        return {};
    const analysis::RankStat there = profile.exclusive(heaviest);
    std::string text = "MPI takes " + duration_text(time) + " of all ranks, most of it " + evidence.place(heaviest) +
                       ": " + duration_text(there.sum);
    // Who has next to no time where all wait is whom the others wait for. Where ranks communicate on different paths,
    // that is who works longest, if the others can have waited for it for half of MPI's time.
    std::optional<std::int32_t> late;
    if (constexpr int MuchLess = 4; profile.rank_count > 1 && profile.nodes[heaviest].ranks == profile.rank_count &&
                                    static_cast<double>(there.min) * MuchLess < profile.average(there)) {
        late = there.min_rank;
        text += ", of rank " + std::to_string(*late) + " only " + duration_text(there.min);
    } else if (explains_half(profile.breakdown, profile.rank_count, time)) {
        const analysis::RankStat& outside = profile.breakdown.outside_mpi;
        late = outside.max_rank;
        text += "; rank " + std::to_string(*late) + " is outside of MPI for " + duration_text(outside.max) +
                ", the ranks on average for " + duration_text(outside.sum / profile.rank_count);
    }
    Found found{time, std::move(text), heaviest, late, {{"mpi_ns", time}, {"path_ns", there.sum}}};
    found.others_wait = true;
    return {std::move(found)};
}

} // namespace vftr::report
