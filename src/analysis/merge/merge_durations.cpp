// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/merge/merge_durations.hpp"

#include "analysis/merge/unite.hpp"

namespace vftr::analysis {
namespace {

void unite_durations(Profile& profile) {
    unite(
        profile.durations, [](const PathDurations& path) { return path.node; },
        [](PathDurations& into, const PathDurations& from) { into.histogram.add(from.histogram); });
}

} // namespace

void add_durations(Profile& into, const Profile& from, const std::vector<std::uint32_t>& place) {
    for (const PathDurations& path : from.durations)
        into.durations.push_back({place[path.node], path.histogram});
    unite_durations(into);
}

void renumber_durations(Profile& profile, const std::vector<std::uint32_t>& place) {
    for (PathDurations& path : profile.durations)
        path.node = place[path.node];
    unite_durations(profile);
}

} // namespace vftr::analysis
