// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/merge/merge_regions.hpp"

#include "analysis/merge/unite.hpp"

namespace vftr::analysis {
namespace {

void unite_regions(Profile& profile) {
    unite(
        profile.regions, [](const OpenMpRegion& region) { return region.node; },
        [](OpenMpRegion& into, const OpenMpRegion& from) { into.add(from); });
}

} // namespace

void add_regions(Profile& into, const Profile& from, const std::vector<std::uint32_t>& place) {
    for (OpenMpRegion region : from.regions) {
        region.node = place[region.node];
        into.regions.push_back(region);
    }
    unite_regions(into);
}

void renumber_regions(Profile& profile, const std::vector<std::uint32_t>& place) {
    for (OpenMpRegion& region : profile.regions)
        region.node = place[region.node];
    unite_regions(profile);
}

} // namespace vftr::analysis
