// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/merge/merge_durations.hpp"

#include "analysis/merge/unite.hpp"

namespace vftr::analysis {
namespace {

constexpr auto add_path_durations = [](PathDurations& into, const PathDurations& from) {
    into.histogram.add(from.histogram);
};

} // namespace

void add_durations(Profile& into, const Profile& from, const std::vector<std::uint32_t>& place) {
    add_by_node(into.durations, from.durations, place, add_path_durations);
}

void renumber_durations(Profile& profile, const std::vector<std::uint32_t>& place) {
    renumber_by_node(profile.durations, place, add_path_durations);
}

} // namespace vftr::analysis
