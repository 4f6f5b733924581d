// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/processes/job_groups.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace vftr::analysis {
namespace {

using Kin = std::tuple<std::uint32_t, std::int32_t>; // parent, size of the job

Kin kin_of(const RankOfJob& rank) { return {rank.parent, rank.recording->size}; }

class Group {
public:
    explicit Group(const RankOfJob& first) { add(first); }

    Kin kin() const { return kin_of(ranks_.front()); }

    bool takes(const RankOfJob& rank) const {
        const Recording& r = *rank.recording;
        return r.end_realtime_ns >= latest_start_ && r.start_realtime_ns <= earliest_end_ && !numbers_.count(r.rank);
    }
    bool takes(const Group& other) const {
        return std::all_of(other.ranks_.begin(), other.ranks_.end(),
                           [&](const RankOfJob& rank) { return takes(rank); });
    }
    void add(const RankOfJob& rank) {
        ranks_.push_back(rank);
        numbers_.insert(rank.recording->rank);
        latest_start_ = std::max(latest_start_, rank.recording->start_realtime_ns);
        earliest_end_ = std::min(earliest_end_, rank.recording->end_realtime_ns);
    }
    void add(const Group& other) {
        for (const RankOfJob& rank : other.ranks_)
            add(rank);
    }
    bool complete() const { return ranks_.size() >= static_cast<std::size_t>(ranks_.front().recording->size); }

    JobGroup by_rank() && {
        std::sort(ranks_.begin(), ranks_.end(),
                  [](const RankOfJob& a, const RankOfJob& b) { return a.recording->rank < b.recording->rank; });
        return std::move(ranks_);
    }

private:
    JobGroup ranks_;
    std::set<std::int32_t> numbers_;
    std::uint64_t latest_start_ = 0, earliest_end_ = UINT64_MAX;
};

// Ranks that were started by one process.
std::vector<Group> local_groups(const std::vector<RankOfJob>& ranks) {
    std::vector<Group> groups;
    std::map<std::tuple<Kin, std::string, std::uint64_t, std::uint32_t>, std::size_t> open;
    for (const RankOfJob& rank : ranks) {
        auto [place, is_new] = open.try_emplace(
            {kin_of(rank), rank.recording->host, rank.recording->pid_namespace, rank.recording->parent_pid},
            groups.size());
        if (!is_new && groups[place->second].takes(rank)) {
            groups[place->second].add(rank);
        } else {
            place->second = groups.size();
            groups.emplace_back(rank);
        }
    }
    return groups;
}

} // namespace

std::vector<JobGroup> job_groups(std::vector<RankOfJob> ranks) {
    std::stable_sort(ranks.begin(), ranks.end(), [](const RankOfJob& a, const RankOfJob& b) {
        return a.recording->start_realtime_ns < b.recording->start_realtime_ns;
    });
    std::map<Kin, std::vector<Group>> united;
    std::vector<std::pair<Kin, std::size_t>> order;
    for (Group& local : local_groups(ranks)) {
        const Kin kin = local.kin();
        std::vector<Group>& groups = united[kin];
        auto fits = [&](const Group& group) { return !group.complete() && !local.complete() && group.takes(local); };
        auto found = std::find_if(groups.begin(), groups.end(), fits);
        if (found != groups.end()) {
            found->add(local);
        } else {
            order.emplace_back(kin, groups.size());
            groups.push_back(std::move(local));
        }
    }
    std::vector<JobGroup> result;
    result.reserve(order.size());
    for (const auto& [kin, index] : order)
        result.push_back(std::move(united[kin][index]).by_rank());
    return result;
}

bool is_of_group(const Recording& whole, const JobGroup& group) {
    const Recording& lowest = *group.front().recording;
    if (lowest.rank == 0)
        return lowest.host == whole.host && lowest.pid == whole.pid &&
               lowest.start_realtime_ns == whole.start_realtime_ns;
    return lowest.size == whole.size && lowest.basename == whole.basename &&
           lowest.end_realtime_ns >= whole.start_realtime_ns && lowest.start_realtime_ns <= whole.end_realtime_ns;
}

} // namespace vftr::analysis
