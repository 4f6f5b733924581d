// SPDX-License-Identifier: BSD-3-Clause
#include "compare/combined_tree.hpp"

#include "analysis/merge/flat_map.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace vftr::compare {

CombinedTree::CombinedTree(const Runs& runs)
    : functions_(runs), renamed_from_(functions_.names.size(), Nowhere), name_now_(functions_.names.size()) {
    std::iota(name_now_.begin(), name_now_.end(), 0);
    paths_.names = functions_.names;
    build(runs);
}

void CombinedTree::rename(const Runs& runs, const std::vector<Rename>& renames) {
    for (const Rename& rename : renames) {
        name_now_[rename.from] = rename.to;
        renamed_from_[rename.to] = rename.from;
    }
    build(runs);
}

// The place of a function below another place, which is made if there is none.
std::uint32_t CombinedTree::place_of(analysis::FlatMap& index, std::uint32_t parent, std::uint32_t function,
                                     analysis::NodeKind kind) {
    std::uint32_t& known = index[std::uint64_t{parent} << 32 | function];
    if (known != analysis::FlatMap::Missing)
        return known;
    known = static_cast<std::uint32_t>(paths_.nodes.size());
    analysis::PathNode& fresh = paths_.nodes.emplace_back();
    fresh.parent = parent;
    fresh.name = function;
    fresh.kind = kind;
    for (std::size_t side = 0; side < calls_.size(); ++side) {
        runs_with_[side].push_back(0);
        calls_[side].push_back(0);
    }
    return known;
}

void CombinedTree::build(const Runs& runs) {
    std::size_t most = 1;
    for (const std::vector<analysis::Profile>& side : runs)
        for (const analysis::Profile& run : side)
            most = std::max(most, run.nodes.size());
    analysis::FlatMap index(most);
    paths_.nodes.assign(1, {});
    paths_.nodes[0].kind = analysis::NodeKind::Root;
    std::vector<std::uint32_t> latest_run; // by place: the number of the run that was there last
    std::uint32_t number = 0;
    for (std::size_t side = 0; side < runs.size(); ++side) {
        runs_with_[side].assign(paths_.nodes.size(), 0);
        calls_[side].assign(paths_.nodes.size(), 0);
        places_[side].assign(runs[side].size(), {});
    }
    latest_run.assign(1, 0);
    for (std::size_t side = 0; side < runs.size(); ++side)
        for (std::size_t r = 0; r < runs[side].size(); ++r) {
            const analysis::Profile& run = runs[side][r];
            const std::vector<std::uint32_t>& functions = functions_.of_name[side][r];
            std::vector<std::uint32_t>& its = places_[side][r];
            its.resize(run.nodes.size());
            const double ranks = std::max<std::uint32_t>(run.rank_count, 1) * static_cast<double>(runs[side].size());
            ++number;
            for (std::uint32_t node = 0; node < run.nodes.size(); ++node) {
                const analysis::PathNode& path = run.nodes[node];
                const std::uint32_t place =
                    node == 0 ? 0 : place_of(index, its[path.parent], name_now_[functions[path.name]], path.kind);
                its[node] = place;
                if (place == latest_run.size())
                    latest_run.push_back(0);
                calls_[side][place] += static_cast<double>(run.nodes[node].calls) / ranks;
                if (latest_run[place] != number)
                    ++runs_with_[side][place];
                latest_run[place] = number;
            }
        }
    moved_from_.assign(paths_.nodes.size(), Nowhere);
}

void CombinedTree::move_base(const std::vector<std::uint32_t>& moved_to) {
    for (std::uint32_t place = 0; place < size(); ++place) {
        const std::uint32_t to = moved_to[place];
        if (to == Nowhere)
            continue;
        if (moved_to[parent(place)] != parent(to))
            moved_from_[to] = place;
        std::swap(calls_[Base][place], calls_[Base][to]);
        std::swap(runs_with_[Base][place], runs_with_[Base][to]);
    }
    for (std::vector<std::uint32_t>& places : places_[Base])
        for (std::uint32_t& place : places)
            if (moved_to[place] != Nowhere)
                place = moved_to[place];
}

} // namespace vftr::compare
