// SPDX-License-Identifier: BSD-3-Clause
#include "export/rank_functions.hpp"

#include "report/function_groups.hpp"
#include "report/shown_names.hpp"

#include <algorithm>

namespace vftr::exports {

namespace {

// By which the groups of two profiles are told to be of the same function; the root has one of its own.
std::string key_of(const analysis::Profile& profile, const report::FunctionGroup& group) {
    std::string name = profile.names[profile.nodes[group.first_path].name];
    if (group.first_path == 0)
        name += '\n';
    return name;
}

} // namespace

RankFunctions::RankFunctions(const analysis::Profile& all, std::size_t ranks, std::size_t most_cells) {
    std::vector<report::FunctionGroup> groups = report::function_groups(all, 0);
    std::ranges::stable_sort(groups, {},
                             [](const report::FunctionGroup& group) { return ~group.exclusive; }); // most first
    const std::size_t most = std::max<std::size_t>(most_cells / std::max<std::size_t>(ranks, 1), 1);
    left_out_ = groups.size() - std::min(groups.size(), most);
    groups.resize(groups.size() - left_out_);
    const report::ShownNames names(all);
    for (const report::FunctionGroup& group : groups) {
        index_.emplace(key_of(all, group), functions_.size());
        functions_.push_back(names.of(group.first_path));
    }
    times_.reserve(ranks * functions_.size());
}

void RankFunctions::add(std::int32_t rank, const analysis::Profile& profile) {
    ranks_.push_back(rank);
    times_.resize(ranks_.size() * functions_.size());
    const auto its = times_.end() - static_cast<std::ptrdiff_t>(functions_.size());
    for (const report::FunctionGroup& group : report::function_groups(profile, 0))
        if (const auto found = index_.find(key_of(profile, group)); found != index_.end())
            its[static_cast<std::ptrdiff_t>(found->second)] += group.exclusive;
}

} // namespace vftr::exports
