// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/merge/merge_regions.hpp"

#include "analysis/merge/unite.hpp"

namespace vftr::analysis {
namespace {

constexpr auto add_region = [](OpenMpRegion& into, const OpenMpRegion& from) { into.add(from); };

} // namespace

void add_regions(Profile& into, const Profile& from, const std::vector<std::uint32_t>& place) {
    add_by_node(into.regions, from.regions, place, add_region);
}

void renumber_regions(Profile& profile, const std::vector<std::uint32_t>& place) {
    renumber_by_node(profile.regions, place, add_region);
}

} // namespace vftr::analysis
