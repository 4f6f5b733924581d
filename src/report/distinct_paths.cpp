// SPDX-License-Identifier: BSD-3-Clause
#include "report/distinct_paths.hpp"

#include "report/number_text.hpp"
#include "report/told_apart.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace vftr::report {
namespace {

constexpr std::size_t MostKept = 3; // functions that are kept in the middle of a path
// The number of steps along all paths that look alike. Further groups stay as they are, which bounds the cost.
constexpr std::size_t MostSteps = 1 << 17;

// Paths of the same depth that look alike.
class Alike {
public:
    struct Path {
        std::size_t place; // index in the list
        std::uint32_t node;
        AlikePath chain = {}; // its nodes
        std::vector<std::uint32_t> kept = {};
    };

    explicit Alike(const analysis::Profile& profile) : profile_(profile) {}

    void add(std::size_t place, std::uint32_t node) { paths_.push_back({place, node}); }
    std::size_t size() const { return paths_.size(); }

    // Finds for each path the functions that tell it apart from the others.
    std::vector<Path>& distinguished() {
        std::vector<AlikePath*> all;
        for (Path& path : paths_) {
            for (std::uint32_t id = path.node; id != 0; id = profile_.nodes[id].parent)
                path.chain.nodes.push_back(id);
            all.push_back(&path.chain);
        }
        tell_apart(profile_, all, MostKept);
        for (Path& path : paths_)
            for (const std::size_t place : path.chain.kept)
                path.kept.push_back(path.chain.nodes[place]);
        return paths_;
    }

    // The names of all functions on these paths.
    std::vector<std::string_view> names(const ShownNames& shown) const {
        std::set<std::string_view> names;
        for (const Path& path : paths_)
            for (std::uint32_t id : path.chain.nodes)
                names.insert(shown.of(id));
        return {names.begin(), names.end()};
    }

private:
    const analysis::Profile& profile_;
    std::vector<Path> paths_;
};

} // namespace

std::vector<std::string> distinct_paths(const analysis::Profile& profile, const ShownNames& names,
                                        const PathText& paths, const std::vector<std::uint32_t>& nodes) {
    std::vector<std::string> texts;
    for (std::uint32_t node : nodes)
        texts.push_back(paths.of(node));
    if (std::all_of(nodes.begin(), nodes.end(), [&](std::uint32_t node) { return paths.is_whole(node); }))
        return texts;
    std::map<std::pair<std::string, std::uint32_t>, Alike> groups;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        groups.try_emplace({texts[i], paths.depth(nodes[i])}, profile).first->second.add(i, nodes[i]);
    std::size_t steps = 0;
    for (auto& [key, group] : groups) {
        if (group.size() == 1 || (steps += group.size() * key.second) > MostSteps)
            continue;
        // Shorter names for these paths only, for paths that have no room for the tables' names.
        std::optional<DistinctNames> shorter;
        const PathWords words(profile, [&](std::uint32_t name) { return shorter->of(names.of_name(name)); });
        for (const Alike::Path& path : group.distinguished()) {
            std::string text = paths.with(path.node, path.kept);
            if (width(text) > paths.limit()) {
                if (!shorter)
                    shorter.emplace(group.names(names), paths.limit() / 6, paths.limit() / 3);
                text = paths.with(path.node, path.kept, &words);
            }
            if (width(text) <= paths.limit())
                texts[path.place] = std::move(text);
        }
    }
    return texts;
}

} // namespace vftr::report
