// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/path_indices.hpp"

namespace vftr::analysis {

PathIndices::PathIndices(const vfd::Image& image, Profile& profile)
    : image_(image), names_(image, symbols::ModuleIds::Always), profile_(profile), paths_(profile.nodes.size()),
      placement_(image, [this](std::uint32_t parent, const vfd::Node& node) { return child(parent, node); }) {
    for (std::size_t i = 0; i < profile.names.size(); ++i)
        index_.try_emplace(profile.names[i], static_cast<std::uint32_t>(i));
    for (std::size_t i = 1; i < profile.nodes.size(); ++i)
        paths_[path_key(profile.nodes[i].parent, profile.nodes[i].name)] = static_cast<std::uint32_t>(i);
}

std::vector<std::uint32_t> PathIndices::place(const vfd::ThreadView& thread) {
    std::vector<std::uint32_t> places;
    places.reserve(thread.node_count);
    const auto at = static_cast<std::uint32_t>(&thread - image_.threads().data());
    for (std::uint32_t id = 0; id < thread.node_count; ++id)
        places.push_back(thread.node(id).flags & vfd::NodeUnrecorded ? 0 : placement_.place({at, id}));
    return places;
}

std::uint32_t PathIndices::child(std::uint32_t parent, const vfd::Node& node) {
    if (is_outlined_function(profile_.nodes[parent].kind, node.kind, names_.of(node)))
        return parent;
    auto [name, is_new] = index_.try_emplace(names_.of(node), static_cast<std::uint32_t>(profile_.names.size()));
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
        if (!profile_.extremes.empty())
            profile_.extremes.emplace_back();
        if (!profile_.stids.empty())
            profile_.stids.push_back(profile_.stids.back() + 1);
    }
    return path;
}

} // namespace vftr::analysis
