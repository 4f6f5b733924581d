// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/merge/numbering.hpp"

#include "analysis/merge/flat_map.hpp"
#include "analysis/merge/renumber.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>

namespace vftr::analysis {
namespace {

using Indices = std::vector<std::uint32_t>;

// The index in `shared` of each name of `profile`; FlatMap::Missing where it is not there.
Indices places_of_names(const Profile& profile, const Numbering& shared) {
    std::unordered_map<std::string_view, std::uint32_t> index;
    index.reserve(shared.names.size());
    for (std::size_t i = 0; i < shared.names.size(); ++i)
        index.try_emplace(shared.names[i], static_cast<std::uint32_t>(i));
    Indices place;
    place.reserve(profile.names.size());
    for (const std::string& name : profile.names) {
        const auto found = index.find(name);
        place.push_back(found == index.end() ? FlatMap::Missing : found->second);
    }
    return place;
}

} // namespace

Indices stids_of(const Profile& profile, const Numbering& shared) {
    const Indices name_index = places_of_names(profile, shared);
    FlatMap paths(shared.paths.size());
    for (std::size_t i = 1; i < shared.paths.size(); ++i)
        paths[path_key(shared.paths[i].parent, shared.paths[i].name)] = static_cast<std::uint32_t>(i);
    Indices place(profile.nodes.size(), FlatMap::Missing), stids(profile.nodes.size());
    if (stids.empty())
        return stids;
    place[0] = 0;
    stids[0] = shared.stids[0];
    std::uint32_t next = shared.first_free;
    for (std::size_t i = 1; i < profile.nodes.size(); ++i) {
        const std::uint32_t parent = place[profile.nodes[i].parent], name = name_index[profile.nodes[i].name];
        if (parent != FlatMap::Missing && name != FlatMap::Missing)
            place[i] = paths[path_key(parent, name)];
        stids[i] = place[i] == FlatMap::Missing ? next++ : shared.stids[place[i]];
    }
    return stids;
}

Numbering numbering_of(const Profile& profile) {
    Numbering numbering;
    numbering.names = profile.names;
    numbering.paths.reserve(profile.nodes.size());
    numbering.stids.reserve(profile.nodes.size());
    for (std::uint32_t i = 0; i < profile.nodes.size(); ++i) {
        numbering.paths.push_back({profile.nodes[i].parent, profile.nodes[i].name});
        numbering.stids.push_back(profile.stid(i));
        numbering.first_free = std::max(numbering.first_free, profile.stid(i) + 1);
    }
    return numbering;
}

void canonicalise(Profile& profile, const Numbering& shared) {
    canonicalise(profile);
    profile.shared_stids = shared.first_free;
    if (shared.first_free == 0 || profile.nodes.empty())
        return;
    const Indices stids = stids_of(profile, shared);
    Indices order(stids.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return stids[a] < stids[b]; });
    renumber(profile, order);
    if (stids[order.back()] + std::size_t{1} == stids.size())
        return; // each path's STID is its index already
    profile.stids.reserve(stids.size());
    for (std::uint32_t old : order)
        profile.stids.push_back(stids[old]);
}

} // namespace vftr::analysis
