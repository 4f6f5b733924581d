// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/merge/remainder.hpp"

#include "analysis/merge/path_counts.hpp"
#include "analysis/merge/rank_statistics.hpp"
#include "analysis/merge/serialize.hpp"
#include "analysis/merge/unite_paths.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace vftr::analysis {
namespace {

// The counters of a Summary of which a later part can be told.
constexpr std::uint64_t Summary::*SummarySums[] = {&Summary::runtime_sum,
                                                   &Summary::cpu,
                                                   &Summary::threads,
                                                   &Summary::dropped,
                                                   &Summary::shared_calls,
                                                   &Summary::vanished,
                                                   &Summary::unmatched,
                                                   &Summary::overflow_calls,
                                                   &Summary::refused_threads,
                                                   &Summary::threads_without_ring,
                                                   &Summary::cpu_without_samples};

void subtract(std::uint64_t& from, std::uint64_t before) { from -= std::min(from, before); }

// Leaves the largest value that of the rank.
void subtract(RankStat& from, const RankStat& before) { subtract(from.sum, before.sum); }

void subtract(RankTimes& from, const RankTimes& before) {
    for (const auto time : RankTimes::All)
        subtract(from.*time, before.*time);
}

// Adds more of ranks that `into` covers.
void add_to_ranks(RankStat& into, const RankStat& more) {
    into.sum += more.sum;
    if (more.max > into.max || (more.max == into.max && more.max_rank < into.max_rank)) {
        into.max = more.max;
        into.max_rank = more.max_rank;
    }
}

void add_to_ranks(Extremes& into, const Extremes& more) {
    RankStat both{0, into};
    add_to_ranks(both, {0, more});
    into = both;
}

} // namespace

std::optional<Profile> remainder(Profile now, const Profile& collated) {
    now.extremes.clear();
    for (const PathNode& node : now.nodes) {
        const auto of_rank = [&](std::uint64_t ns) -> Extremes { return of_one_rank(ns, now.first_rank); };
        now.extremes.push_back({of_rank(node.exclusive), of_rank(node.inclusive)});
    }
    const std::size_t paths = now.nodes.size();
    const std::vector<std::uint32_t> place = unite_paths(now, collated);
    if (now.nodes.size() != paths)
        return std::nullopt;
    for (std::size_t i = 0; i < collated.nodes.size(); ++i) {
        PathNode& node = now.nodes[place[i]];
        subtract_counts(node, collated.nodes[i]);
        node.ranks = 0; // it counts among those that have the path already
    }
    for (const auto sum : SummarySums)
        subtract(now.summary.*sum, collated.summary.*sum);
    now.summary.processes = now.summary.unfinished = now.summary.recovered = now.summary.memory_bytes = 0;
    subtract(now.summary.times.sum, collated.summary.times.sum);
    for (std::size_t i = 0; i < ActivityCount; ++i)
        subtract(now.breakdown.times[i], collated.breakdown.times[i]);
    now.messages.clear();
    now.matrix.clear();
    now.threads.clear();
    now.regions.clear();
    now.durations.clear();
    for (const auto list : ListsOfRanks)
        (now.*list) = {};
    now.whole_ranks.add(now.first_rank);
    return now;
}

std::optional<Profile> remainder_of(const vfd::Image& image) {
    if (!(image.header().flags & vfd::FlagCollated) || image.header().kind != vfd::FileKind::Process ||
        image.profile_bytes().empty())
        return std::nullopt;
    return remainder(profile_of(image), deserialize(image.profile_bytes(), image.label()));
}

void add_remainders(Profile& all, const Profile& remainders) {
    if (remainders.rank_count == 0)
        return;
    const std::size_t known = all.nodes.size();
    const std::vector<std::uint32_t> place = unite_paths(all, remainders);
    for (std::uint32_t i = 0; i < remainders.nodes.size(); ++i) {
        PathNode& path = all.nodes[place[i]];
        add_counts(path, remainders.nodes[i]);
        path.ranks += remainders.nodes[i].ranks;
        if (all.extremes.empty()) // there is one rank, and its times are those of the paths
            continue;
        PathExtremes& extremes = all.extremes[place[i]];
        const PathExtremes& more = remainders.extremes[i];
        if (place[i] >= known && path.ranks == all.rank_count) {
            extremes = more;
        } else {
            add_to_ranks(extremes.exclusive, more.exclusive);
            add_to_ranks(extremes.inclusive, more.inclusive);
        }
    }
    for (const auto sum : SummarySums)
        all.summary.*sum += remainders.summary.*sum;
    all.summary.end_realtime_ns = std::max(all.summary.end_realtime_ns, remainders.summary.end_realtime_ns);
    all.summary.times.add_ranks(remainders.summary.times);
    for (std::size_t i = 0; i < ActivityCount; ++i)
        add_to_ranks(all.breakdown.times[i], remainders.breakdown.times[i]);
    all.whole_ranks.add(remainders.whole_ranks);
    for (const RankList::Range& range : remainders.whole_ranks.ranges())
        for (std::int32_t rank = range.first; rank <= range.last; ++rank)
            all.running_ranks.remove(rank);
}

bool may_lack_remainder(const Profile& job, std::int32_t rank) {
    return rank == job.first_rank ? !job.summary.ahead : !job.whole_ranks.contains(rank);
}

} // namespace vftr::analysis
