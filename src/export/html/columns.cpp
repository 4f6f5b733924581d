// SPDX-License-Identifier: BSD-3-Clause
#include "export/html/columns.hpp"

#include "report/shown_names.hpp"

namespace vftr::exports {
namespace {

constexpr std::size_t ShortTitle = 60; // characters, as in the tables of a log

using analysis::Profile;

std::uint32_t rank(std::int32_t number) { return static_cast<std::uint32_t>(number); }

} // namespace

TreeColumnsBuilder::TreeColumnsBuilder(const Profile& profile) : order_(depth_first(profile)) {
    std::vector<std::uint32_t>& row = built_.row_of;
    row.resize(profile.nodes.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i)
        row[order_[i].node] = i;
    built_.rows = static_cast<std::uint32_t>(order_.size());
    add_u32("parent", [&](std::uint32_t node) { return row[profile.nodes[node].parent]; });
    add_u32("name", [&](std::uint32_t node) { return profile.nodes[node].name; });
    add_u32("kind", [&](std::uint32_t node) { return static_cast<std::uint32_t>(profile.nodes[node].kind); });
    const report::ShownNames names(profile);
    for (std::uint32_t i = 0; i < profile.names.size(); ++i) {
        const std::string& title = names.of_name(i);
        std::string brief = names.fitted(title, ShortTitle);
        built_.short_titles.push_back(brief == title ? std::string() : std::move(brief));
        built_.titles.push_back(title);
    }
}

TreeColumns path_columns(const Profile& profile) {
    TreeColumnsBuilder columns(profile);
    columns.add_u32("id", [&](std::uint32_t node) { return profile.stid(node); });
    columns.add_u32("ranks", [&](std::uint32_t node) { return profile.nodes[node].ranks; });
    columns.add_u32("threads", [&](std::uint32_t node) { return profile.nodes[node].threads; });
    columns.add_f64("calls", [&](std::uint32_t node) { return profile.nodes[node].calls; });
    columns.add_f64("exclusive", [&](std::uint32_t node) { return profile.nodes[node].exclusive; });
    columns.add_f64("inclusive", [&](std::uint32_t node) { return profile.nodes[node].inclusive; });
    columns.add_f64("overhead", [&](std::uint32_t node) { return profile.nodes[node].overhead; });
    if (profile.rank_count > 1) {
        columns.add_f64("exclusive_min", [&](std::uint32_t node) { return profile.exclusive(node).min; });
        columns.add_f64("exclusive_max", [&](std::uint32_t node) { return profile.exclusive(node).max; });
        columns.add_u32("exclusive_min_rank",
                        [&](std::uint32_t node) { return rank(profile.exclusive(node).min_rank); });
        columns.add_u32("exclusive_max_rank",
                        [&](std::uint32_t node) { return rank(profile.exclusive(node).max_rank); });
    }
    if (!profile.durations.empty()) {
        const auto add = [&](std::string_view name, auto value) {
            columns.add_f64(name, [&](std::uint32_t node) {
                const analysis::DurationHistogram* durations = analysis::durations_of(profile.durations, node);
                return durations ? value(*durations) : 0;
            });
        };
        using analysis::DurationHistogram;
        add("shortest_call", [](const DurationHistogram& durations) { return durations.shortest(); });
        add("median_call", [](const DurationHistogram& durations) { return durations.quantile(0.5); });
        add("p90_call", [](const DurationHistogram& durations) { return durations.quantile(0.9); });
        add("p99_call", [](const DurationHistogram& durations) { return durations.quantile(0.99); });
        add("longest_call", [](const DurationHistogram& durations) { return durations.longest(); });
    }
    return columns.take();
}

} // namespace vftr::exports
