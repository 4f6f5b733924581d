// SPDX-License-Identifier: BSD-3-Clause
#include "report/distinct_callers.hpp"

#include "report/rows.hpp"
#include "report/short_name.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace vftr::report {
namespace {

constexpr std::size_t MostKept = 2;   // functions that are shown beyond the caller
constexpr std::size_t MostSeen = 256; // callers that are looked at, from the row's outwards
// Callers of all rows that read alike. Further rows stay as they are, which bounds the cost.
constexpr std::size_t MostSteps = 1 << 18;

} // namespace

DistinctCallers::DistinctCallers(const analysis::Profile& profile, const std::vector<std::uint32_t>& rows)
    : profile_(profile) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> groups; // by function and caller
    for (const std::uint32_t row : rows)
        if (row != 0)
            groups[{profile.nodes[row].name, profile.nodes[profile.nodes[row].parent].name}].push_back(row);
    std::size_t steps = 0;
    for (const auto& [names, nodes] : groups) {
        if (nodes.size() == 1)
            continue;
        std::vector<Path> paths;
        for (const std::uint32_t node : nodes) {
            Path path{node, {}};
            for (std::uint32_t id = profile.nodes[node].parent; id != 0 && path.callers.size() < MostSeen;)
                path.callers.push_back(id = profile.nodes[id].parent);
            steps += path.callers.size();
            paths.push_back(std::move(path));
        }
        if (steps > MostSteps)
            return;
        std::vector<Path*> alike;
        for (Path& path : paths)
            alike.push_back(&path);
        distinguish(alike, MostKept);
        for (Path& path : paths) {
            std::sort(path.kept.begin(), path.kept.end());
            if (!path.kept.empty())
                paths_.emplace(path.node, std::move(path));
        }
    }
}

void DistinctCallers::distinguish(const std::vector<Path*>& alike, std::size_t most) {
    constexpr std::uint32_t None = ~0u; // beyond the root
    const auto name_at = [&](const Path& path, std::size_t place) {
        return place < path.callers.size() ? profile_.nodes[path.callers[place]].name : None;
    };
    std::size_t best = 0, names_at_best = 1, deepest = 0;
    for (const Path* path : alike)
        deepest = std::max(deepest, path->callers.size());
    for (std::size_t place = 0; place < deepest && names_at_best < alike.size(); ++place) {
        std::set<std::uint32_t> names;
        for (const Path* path : alike)
            names.insert(name_at(*path, place));
        if (names.size() > names_at_best)
            best = place, names_at_best = names.size();
    }
    if (names_at_best == 1)
        return;
    std::map<std::uint32_t, std::vector<Path*>> parts;
    for (Path* path : alike) {
        if (best < path->callers.size())
            path->kept.push_back(best);
        parts[name_at(*path, best)].push_back(path);
    }
    for (const auto& [name, part] : parts)
        if (part.size() > 1 && most > 1)
            distinguish(part, most - 1);
}

std::string DistinctCallers::cell(const Context& context, Footnotes& footnotes, std::uint32_t node) const {
    const std::uint32_t caller = profile_.nodes[node].parent;
    const auto found = paths_.find(node);
    if (found == paths_.end())
        return footnotes.name(context, caller);
    const Path& path = found->second;
    const auto limit = static_cast<std::size_t>(context.config.max_name_width); // 0: names are not shortened
    const std::size_t each = (limit - std::min(limit, 3 * path.kept.size())) / (path.kept.size() + 1);
    const auto name = [&](std::uint32_t id) {
        return limit == 0 ? context.name(id) : short_name(context.name(id), each, each);
    };
    std::string text = name(caller);
    std::size_t next = 0;
    for (const std::size_t place : path.kept) {
        text += (place == next ? "<" : "<…<") + name(path.callers[place]);
        next = place + 1;
    }
    return text;
}

std::string DistinctCallers::note() const {
    return paths_.empty()
               ? ""
               : "Caller: f<g is f as g calls it, f<…<g is f with g further out; where rows would read alike\n";
}

} // namespace vftr::report
