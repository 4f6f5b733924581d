// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/path_places.hpp"

#include <span>

namespace vftr::analysis {

PathPlaces::PathPlaces(const vfd::Image& image, Profile& profile)
    : names_(image), profile_(profile), paths_(profile.nodes.size()) {
    for (std::size_t i = 0; i < profile.names.size(); ++i)
        index_.try_emplace(profile.names[i], static_cast<std::uint32_t>(i));
    for (std::size_t i = 1; i < profile.nodes.size(); ++i)
        paths_[path_key(profile.nodes[i].parent, profile.nodes[i].name)] =
            static_cast<std::uint32_t>(i);
}

std::vector<std::uint32_t> PathPlaces::place(const vfd::ThreadView& thread) {
    std::vector<std::uint32_t> places;
    places.reserve(thread.node_count);
    for (std::span<const vfd::Node> chunk : thread.node_chunks)
        for (const vfd::Node& node : chunk) {
            if (places.size() == thread.node_count)
                return places;
            // The parent has been checked to come before; a live writer may not change it.
            places.push_back(places.empty() ? 0 : child(places.at(node.parent), node));
        }
    return places;
}

std::uint32_t PathPlaces::child(std::uint32_t parent, const vfd::Node& node) {
    auto [name, is_new] =
        index_.try_emplace(names_.of(node), static_cast<std::uint32_t>(profile_.names.size()));
    if (is_new)
        profile_.names.push_back(name->first);
    std::uint32_t& path = paths_[path_key(parent, name->second)];
    if (path == FlatMap::Missing) {
        path = static_cast<std::uint32_t>(profile_.nodes.size());
        PathNode added;
        added.parent = parent;
        added.name = name->second;
        added.kind = node.kind;
        added.precise = node.flags & vfd::NodePrecise;
        profile_.nodes.push_back(added);
    }
    return path;
}

} // namespace vftr::analysis
