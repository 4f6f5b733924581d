// SPDX-License-Identifier: BSD-3-Clause
#include "report/distinct_callers.hpp"

#include "report/rows.hpp"
#include "report/short_name.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace vftr::report {
namespace {

constexpr std::size_t MostCallers = 2; // functions that are shown beyond the caller
constexpr std::size_t MostSeen = 256;  // callers that are looked at, from the row's outwards
// Callers of all rows that read alike. Further rows stay as they are, which bounds the cost.
constexpr std::size_t MostComparisons = 1 << 18;

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
        std::vector<AlikePath> paths(nodes.size());
        std::vector<AlikePath*> alike;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            for (std::uint32_t id = profile.nodes[nodes[i]].parent; id != 0 && paths[i].nodes.size() < MostSeen;)
                paths[i].nodes.push_back(id = profile.nodes[id].parent);
            steps += paths[i].nodes.size();
            alike.push_back(&paths[i]);
        }
        if (steps > MostComparisons)
            return;
        tell_apart(profile, alike, MostCallers);
        for (std::size_t i = 0; i < nodes.size(); ++i)
            if (!paths[i].kept.empty())
                paths_.emplace(nodes[i], std::move(paths[i]));
    }
}

std::string DistinctCallers::cell(const Context& context, Footnotes& footnotes, std::uint32_t node) const {
    const std::uint32_t caller = profile_.nodes[node].parent;
    const auto found = paths_.find(node);
    if (found == paths_.end())
        return footnotes.name(context, caller);
    const AlikePath& path = found->second;
    const std::size_t limit = footnotes.limit(context); // 0: names are not shortened
    const std::size_t each = (limit - std::min(limit, 3 * path.kept.size())) / (path.kept.size() + 1);
    const auto name = [&](std::uint32_t id) {
        return limit == 0 ? context.name(id) : short_name(context.name(id), each, each);
    };
    std::string text = name(caller);
    std::size_t next = 0;
    for (const std::size_t place : path.kept) {
        text += (place == next ? "<" : "<…<") + name(path.nodes[place]);
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
