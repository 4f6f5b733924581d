// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/merge/merge_durations.hpp"
#include "analysis/merge/merge_messages.hpp"
#include "analysis/merge/merge_regions.hpp"
#include "analysis/merge/merge_threads.hpp"
#include "analysis/merge/path_counts.hpp"
#include "analysis/merge/rank_statistics.hpp"
#include "analysis/merge/unite_paths.hpp"
#include "analysis/profile/expressions.hpp"
#include "analysis/profile/profile.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace vftr::analysis {
namespace {

PathExtremes extremes_of(const Profile& profile, std::uint32_t node) {
    return {profile.exclusive(node), profile.inclusive(node)};
}

std::vector<PathExtremes> extremes_of_one_rank(const Profile& profile) {
    std::vector<PathExtremes> all;
    all.reserve(profile.nodes.size());
    for (std::uint32_t i = 0; i < profile.nodes.size(); ++i)
        all.push_back(extremes_of(profile, i));
    return all;
}

// ---- statistics of two processes of one rank ----

RankStat in_rank(const RankStat& a, const RankStat& b) {
    std::uint64_t sum = a.sum + b.sum;
    return {sum, {sum, sum, a.min_rank, a.max_rank}};
}

// ---- everything except the trees ----

void add_summary(Summary& into, const Summary& from) {
    if (from.start_realtime_ns && (!into.start_realtime_ns || from.start_realtime_ns < into.start_realtime_ns))
        into.start_realtime_ns = from.start_realtime_ns;
    into.end_realtime_ns = std::max(into.end_realtime_ns, from.end_realtime_ns);
    into.runtime_sum += from.runtime_sum;
    into.cpu += from.cpu;
    into.cpu_without_samples += from.cpu_without_samples;
    into.memory_bytes += from.memory_bytes;
    into.processes += from.processes;
    into.threads += from.threads;
    into.dropped += from.dropped;
    into.shared_calls += from.shared_calls;
    into.vanished += from.vanished;
    into.unmatched += from.unmatched;
    into.overflow_calls += from.overflow_calls;
    into.recovered += from.recovered;
    into.unfinished += from.unfinished;
    into.max_call_paths = std::max(into.max_call_paths, from.max_call_paths);
    into.short_of_space |= from.short_of_space;
    into.hook_calls_out += from.hook_calls_out;
    into.hook_calls_uncertain += from.hook_calls_uncertain;
    into.excluded_call_ps = std::max(into.excluded_call_ps, from.excluded_call_ps);
    into.refused_threads += from.refused_threads;
    into.threads_without_ring += from.threads_without_ring;
    into.mpi |= from.mpi;
    into.file_lost |= from.file_lost;
    into.messages_lost |= from.messages_lost;
    into.ahead |= from.ahead;
}

void add_message_totals(Profile& into, const Profile& from, RankStat (*both)(const RankStat&, const RankStat&)) {
    into.sent_bytes = both(into.sent_bytes, from.sent_bytes);
    into.received_bytes = both(into.received_bytes, from.received_bytes);
    into.sent_messages = both(into.sent_messages, from.sent_messages);
    into.received_messages = both(into.received_messages, from.received_messages);
    into.world_size = std::max(into.world_size, from.world_size);
}

void add_breakdown(Breakdown& into, const Breakdown& from, RankStat (*both)(const RankStat&, const RankStat&)) {
    for (std::size_t i = 0; i < ActivityCount; ++i)
        into.times[i] = both(into.times[i], from.times[i]);
    into.team += from.team;
    into.worked += from.worked;
}

void add_ranks(Breakdown& into, const Breakdown& from) {
    add_breakdown(into, from, over_ranks);
    into.outside_mpi = over_ranks(into.outside_mpi, from.outside_mpi);
    into.longest = std::max(into.longest, from.longest);
}

// The processes of a rank run side by side; the first thread of the longest one represents the rank's first thread.
void add_in_rank(Breakdown& into, const Breakdown& from) {
    add_breakdown(into, from, in_rank);
    if (std::tie(from.longest, from.outside_mpi.sum) > std::tie(into.longest, into.outside_mpi.sum)) {
        into.longest = from.longest;
        into.outside_mpi = from.outside_mpi;
    }
}

// Moves `other` into an empty profile, which keeps only its own lists of ranks.
void fill_empty(Profile& into, Profile&& other) {
    Profile empty = std::exchange(into, std::move(other));
    for (const auto list : ListsOfRanks)
        into.*list = std::move(empty.*list);
    keep_heaviest_pairs(into);
    keep_longest_threads(into);
}

// Keeps the alphabetically first reason, so that the result does not depend on the order of merging.
void unite_reasons(std::string& into, const std::string& other) {
    if (into.empty() || (!other.empty() && other < into))
        into = other;
}

void unite_rank_lists(Profile& into, const Profile& other) {
    for (const auto list : ListsOfRanks)
        (into.*list).add(other.*list);
}

// Adds everything except the paths. `place` has the index in `into` of each path of `other`.
void add_tables(Profile& into, const Profile& other, const std::vector<std::uint32_t>& place,
                RankStat (*both)(const RankStat&, const RankStat&)) {
    add_summary(into.summary, other.summary);
    unite_reasons(into.hook_calls_stay, other.hook_calls_stay);
    unite_uses(into.expressions, other.expressions);
    add_messages(into, other, place);
    add_threads(into, other, place);
    add_regions(into, other, place);
    add_durations(into, other, place);
    add_message_totals(into, other, both);
}

} // namespace

std::vector<std::uint32_t> merge(Profile& into, Profile&& other) {
    if (into.rank_count != 0 || other.rank_count == 0)
        return merge(into, std::as_const(other));
    unite_rank_lists(into, other);
    fill_empty(into, std::move(other));
    std::vector<std::uint32_t> place(into.nodes.size());
    std::iota(place.begin(), place.end(), 0);
    return place;
}

std::vector<std::uint32_t> merge(Profile& into, const Profile& other) {
    if (into.rank_count == 0 && other.rank_count != 0)
        return merge(into, Profile(other));
    unite_rank_lists(into, other);
    if (other.rank_count == 0)
        return {};
    if (into.extremes.empty())
        into.extremes = extremes_of_one_rank(into);
    std::vector<std::uint32_t> place = unite_paths(into, other);
    std::vector<bool> in_other(into.nodes.size());
    for (std::uint32_t i = 0; i < other.nodes.size(); ++i) {
        PathNode& path = into.nodes[place[i]];
        const PathNode& from = other.nodes[i];
        in_other[place[i]] = true;
        add_counts(path, from);
        path.ranks += from.ranks;
        PathExtremes& extremes = into.extremes[place[i]];
        extremes = of_both(extremes, extremes_of(other, i));
    }
    for (std::size_t i = 0; i < into.nodes.size(); ++i)
        if (!in_other[i])
            into.extremes[i] = of_both(into.extremes[i], absent_path(other.first_rank));
    add_tables(into, other, place, over_ranks);
    add(into.applications, other.applications);
    into.summary.times.add_ranks(other.summary.times);
    add_ranks(into.breakdown, other.breakdown);
    keep_heaviest_pairs(into);
    if (other.first_rank < into.first_rank) {
        into.first_rank = other.first_rank;
        into.application = other.application;
        into.config_text = other.config_text;
    }
    into.rank_count += other.rank_count;
    return place;
}

void add_process(Profile& into, const Profile& other) {
    std::vector<std::uint32_t> place = unite_paths(into, other);
    for (std::size_t i = 0; i < other.nodes.size(); ++i) {
        PathNode& path = into.nodes[place[i]];
        add_counts(path, other.nodes[i]);
        path.ranks = 1;
    }
    add_tables(into, other, place, in_rank);
    into.summary.times.add_process(other.summary.times);
    add_in_rank(into.breakdown, other.breakdown);
}

} // namespace vftr::analysis
