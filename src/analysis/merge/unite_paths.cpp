// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/merge/unite_paths.hpp"

#include "analysis/merge/flat_map.hpp"
#include "analysis/merge/rank_statistics.hpp"

#include <string>
#include <string_view>
#include <unordered_map>

namespace vftr::analysis {
namespace {

// Adds the names that `into` lacks. Returns the index in `into` of each name of `from`.
std::vector<std::uint32_t> unite_names(std::vector<std::string>& into, const std::vector<std::string>& from) {
    std::unordered_map<std::string_view, std::uint32_t> index;
    index.reserve(into.size() + from.size());
    into.reserve(into.size() + from.size()); // so that the strings, into which the keys point, do not move
    for (std::size_t i = 0; i < into.size(); ++i)
        index.try_emplace(into[i], static_cast<std::uint32_t>(i));
    std::vector<std::uint32_t> place;
    place.reserve(from.size());
    for (const std::string& name : from) {
        auto [found, is_new] = index.try_emplace(name, static_cast<std::uint32_t>(into.size()));
        if (is_new)
            into.push_back(name);
        place.push_back(found->second);
    }
    return place;
}

// Finds paths in a profile. Processes of one program have mostly the same paths in the same order, so most paths are
// found at the first guess. The table, in which each look-up is a cache miss, is only made when a guess fails.
class PathIndex {
public:
    // `more` is the number of paths that may be added.
    PathIndex(const Profile& profile, std::size_t more) : profile_(profile), more_(more) {}

    // Returns the guess if it is right, else Missing.
    std::uint32_t at_guess(std::uint32_t guess, std::uint32_t parent, std::uint32_t name) const {
        if (guess >= profile_.nodes.size() || profile_.nodes[guess].parent != parent ||
            profile_.nodes[guess].name != name)
            return FlatMap::Missing;
        return guess;
    }
    // The index of a path. If the path is new, this is Missing, and the caller sets it.
    std::uint32_t& at(std::uint32_t parent, std::uint32_t name) {
        if (!made_)
            make();
        return paths_[path_key(parent, name)];
    }

private:
    void make() {
        made_ = true;
        paths_ = FlatMap(profile_.nodes.size() + more_);
        for (std::size_t i = 1; i < profile_.nodes.size(); ++i)
            paths_[path_key(profile_.nodes[i].parent, profile_.nodes[i].name)] = static_cast<std::uint32_t>(i);
    }

    const Profile& profile_;
    const std::size_t more_;
    FlatMap paths_;
    bool made_ = false;
};

} // namespace

std::vector<std::uint32_t> unite_paths(Profile& into, const Profile& from) {
    std::vector<std::uint32_t> name_index = unite_names(into.names, from.names);
    PathIndex paths(into, from.nodes.size());
    std::vector<std::uint32_t> place(from.nodes.size(), 0);
    for (std::size_t i = 1; i < from.nodes.size(); ++i) {
        const std::uint32_t parent = place[from.nodes[i].parent], name = name_index[from.nodes[i].name];
        std::uint32_t& index = place[i] = paths.at_guess(place[i - 1] + 1, parent, name);
        if (index != FlatMap::Missing)
            continue;
        std::uint32_t& found = paths.at(parent, name);
        if (found == FlatMap::Missing) {
            PathNode path;
            path.parent = parent;
            path.name = name;
            path.kind = from.nodes[i].kind;
            found = static_cast<std::uint32_t>(into.nodes.size());
            into.nodes.push_back(path);
            if (!into.extremes.empty())
                into.extremes.push_back(absent_path(into.first_rank));
        }
        index = found;
    }
    return place;
}

} // namespace vftr::analysis
