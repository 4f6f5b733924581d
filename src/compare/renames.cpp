// SPDX-License-Identifier: BSD-3-Clause
#include "compare/renames.hpp"

#include "compare/shapes.hpp"
#include "symbols/qualified_name.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace vftr::compare {
namespace {

using symbols::parse_qualified;

// The name of a function of C++ without its parameters, template arguments and scopes.
std::string_view bare_name(std::string_view name) {
    name = name.substr(0, name.find_first_of("(<", 1));
    const std::size_t scope = name.rfind("::");
    return scope == name.npos ? name : name.substr(scope + 2);
}

// Whether two names begin and end alike for half of the shorter one.
bool are_alike(std::string_view a, std::string_view b) {
    if (bare_name(a) == bare_name(b))
        return true;
    const std::size_t shorter = std::min(a.size(), b.size());
    std::size_t first = 0, last = 0;
    while (first < shorter && a[first] == b[first])
        ++first;
    while (last < shorter - first && a[a.size() - 1 - last] == b[b.size() - 1 - last])
        ++last;
    return 2 * (first + last) >= shorter;
}

class RenameFinder {
public:
    explicit RenameFinder(const CombinedTree& tree) : tree_(tree) {
        for (std::vector<bool>& there : functions_)
            there.resize(tree.paths().names.size());
        for (std::uint32_t place = 1; place < tree.size(); ++place)
            for (std::size_t side = 0; side < functions_.size(); ++side)
                if (tree.is_in(side, place))
                    functions_[side][tree.function(place)] = true;
    }

    std::vector<Rename> find() {
        if (!collect())
            return {};
        const Shapes shapes(tree_);
        look_for(shapes.callees);
        look_for(shapes.below);
        return elected();
    }

private:
    // Callees below one caller, of each side, that the other side has nowhere.
    using Alike = PerSide<std::vector<std::uint32_t>>;

    bool collect() {
        PerSide<bool> some{};
        for (std::uint32_t place = 1; place < tree_.size(); ++place) {
            if (tree_.is_in_both(place) || !tree_.is_in_both(tree_.parent(place)))
                continue;
            const std::size_t side = tree_.is_in(Base, place) ? Base : New;
            if (functions_[1 - side][tree_.function(place)])
                continue;
            candidates_.push_back(place);
            some[side] = true;
        }
        return some[Base] && some[New];
    }

    // `signature` by place: what has to be the same besides caller, module and calls.
    void look_for(const std::vector<std::uint64_t>& signature) {
        std::map<std::tuple<std::uint32_t, std::string_view, double, std::uint64_t>, Alike> groups;
        for (const std::uint32_t place : candidates_) {
            const std::size_t side = tree_.is_in(Base, place) ? Base : New;
            groups[{tree_.parent(place), parse_qualified(name(place)).qualifier, tree_.calls(side, place),
                    signature[place]}][side]
                .push_back(place);
        }
        for (const auto& [key, alike] : groups) {
            const bool says_little = std::get<2>(key) <= 1 && std::get<3>(key) == 0;
            vote(alike, says_little);
        }
    }

    void vote(const Alike& alike, bool says_little) {
        for (const std::uint32_t from : alike[Base])
            for (const std::uint32_t to : alike[New]) {
                const bool alone = alike[Base].size() == 1 && alike[New].size() == 1;
                const bool same_bare_name = bare_name(own_name(from)) == bare_name(own_name(to));
                if (alone ? !says_little || are_alike(own_name(from), own_name(to))
                          : same_bare_name && is_only_one(alike[Base], from) && is_only_one(alike[New], to))
                    ++votes_[{tree_.function(from), tree_.function(to)}];
            }
    }

    bool is_only_one(const std::vector<std::uint32_t>& places, std::uint32_t place) const {
        return std::ranges::count_if(places, [&](std::uint32_t other) {
                   return bare_name(own_name(other)) == bare_name(own_name(place));
               }) == 1;
    }

    std::vector<Rename> elected() const {
        std::vector<std::pair<Rename, std::uint32_t>> all;
        for (const auto& [pair, votes] : votes_)
            all.push_back({{pair.first, pair.second}, votes});
        std::ranges::stable_sort(all, {}, [](const auto& one) { return ~one.second; });
        PerSide<std::vector<bool>> taken;
        for (std::vector<bool>& side : taken)
            side.resize(tree_.paths().names.size());
        std::vector<Rename> renames;
        for (const auto& [rename, votes] : all) {
            if (taken[Base][rename.from] || taken[New][rename.to])
                continue;
            taken[Base][rename.from] = taken[New][rename.to] = true;
            renames.push_back(rename);
        }
        return renames;
    }

    const std::string& name(std::uint32_t place) const { return tree_.paths().names[tree_.function(place)]; }
    std::string_view own_name(std::uint32_t place) const { return parse_qualified(name(place)).name; }

    const CombinedTree& tree_;
    PerSide<std::vector<bool>> functions_; // by function: whether the side has it
    std::vector<std::uint32_t> candidates_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> votes_; // by functions
};

} // namespace

std::vector<Rename> find_renames(const CombinedTree& tree) { return RenameFinder(tree).find(); }

} // namespace vftr::compare
