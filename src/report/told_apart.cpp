// SPDX-License-Identifier: BSD-3-Clause
#include "report/told_apart.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace vftr::report {

void tell_apart(const analysis::Profile& profile, const std::vector<AlikePath*>& alike, std::size_t most) {
    constexpr std::uint32_t None = ~0u; // beyond the end of a path
    const auto name_at = [&](const AlikePath& path, std::size_t place) {
        return place < path.nodes.size() ? profile.nodes[path.nodes[place]].name : None;
    };
    std::size_t best = 0, names_at_best = 1, longest = 0;
    for (const AlikePath* path : alike)
        longest = std::max(longest, path->nodes.size());
    for (std::size_t place = 0; place < longest && names_at_best < alike.size(); ++place) {
        std::set<std::uint32_t> names;
        for (const AlikePath* path : alike)
            names.insert(name_at(*path, place));
        if (names.size() > names_at_best)
            best = place, names_at_best = names.size();
    }
    if (names_at_best == 1)
        return;
    std::map<std::uint32_t, std::vector<AlikePath*>> parts;
    for (AlikePath* path : alike) {
        if (best < path->nodes.size())
            path->kept.insert(std::upper_bound(path->kept.begin(), path->kept.end(), best), best);
        parts[name_at(*path, best)].push_back(path);
    }
    for (const auto& [name, part] : parts)
        if (part.size() > 1 && most > 1)
            tell_apart(profile, part, most - 1);
}

} // namespace vftr::report
