// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/merge/merge_threads.hpp"

#include <algorithm>

namespace vftr::analysis {
namespace {

// Ids are unique, unless the kernel has reused a pid for another process of the rank.
bool longer(const ThreadRow& a, const ThreadRow& b) {
    if (a.in_functions != b.in_functions)
        return a.in_functions > b.in_functions;
    if (a.id != b.id)
        return a.id < b.id;
    return a.life > b.life;
}

void renumber(ThreadRow& row, const std::vector<std::uint32_t>& place) {
    if (row.node != vfd::NoNode)
        row.node = place[row.node];
}

} // namespace

void add_threads(Profile& into, const Profile& from, const std::vector<std::uint32_t>& place) {
    into.threads.reserve(into.threads.size() + from.threads.size());
    for (const ThreadRow& row : from.threads) {
        into.threads.push_back(row);
        renumber(into.threads.back(), place);
    }
    into.thread_totals.add(from.thread_totals);
    keep_longest_threads(into);
}

void renumber_threads(Profile& profile, const std::vector<std::uint32_t>& place) {
    for (ThreadRow& row : profile.threads)
        renumber(row, place);
    std::sort(profile.threads.begin(), profile.threads.end());
}

void keep_longest_threads(Profile& profile) {
    if (profile.threads.size() <= LongestThreads)
        return;
    auto end_of_kept = profile.threads.begin() + LongestThreads;
    std::nth_element(profile.threads.begin(), end_of_kept, profile.threads.end(), longer);
    profile.threads.erase(end_of_kept, profile.threads.end());
}

} // namespace vftr::analysis
