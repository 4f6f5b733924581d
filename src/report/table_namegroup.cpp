// SPDX-License-Identifier: BSD-3-Clause
//
// One row per function name. A function that stands on a call path more than once must not count
// its inclusive time twice: only the outermost of its entries on a path counts.
#include "report/rows.hpp"
#include "report/text.hpp"
#include "report/text_table.hpp"

#include <algorithm>

namespace vftr::report {
namespace {

using analysis::Profile;

struct Group {
    std::uint64_t calls = 0, exclusive = 0, inclusive = 0, variance = 0;
    std::uint32_t paths = 0;
    std::uint32_t first_path = 0;
    std::vector<std::uint32_t> shown_paths; // the lowest ones, as many as are shown
};

// Whether a path's function stands on it further out too. The tree is walked depth first, without
// recursion.
std::vector<bool> nested_paths(const Profile& profile) {
    constexpr std::uint32_t None = 0xffffffff;
    const std::vector<analysis::PathNode>& nodes = profile.nodes;
    std::vector<std::uint32_t> first_child(nodes.size(), None), sibling(nodes.size(), None);
    for (auto id = static_cast<std::uint32_t>(nodes.size()); id-- > 1;) {
        sibling[id] = first_child[nodes[id].parent];
        first_child[nodes[id].parent] = id;
    }
    std::vector<bool> nested(nodes.size());
    std::vector<std::uint32_t> active(profile.names.size()); // entries on the path of `at`
    std::uint32_t at = 0;
    while (at != None) {
        nested[at] = active[nodes[at].name]++ != 0;
        if (first_child[at] != None) {
            at = first_child[at];
            continue;
        }
        --active[nodes[at].name];
        while (at != 0 && sibling[at] == None) {
            at = nodes[at].parent;
            --active[nodes[at].name];
        }
        at = at == 0 ? None : sibling[at];
    }
    return nested;
}

std::vector<Group> make_groups(const Profile& profile, std::size_t most_shown) {
    std::vector<Group> groups(profile.names.size());
    std::vector<bool> nested = nested_paths(profile);
    for (std::uint32_t id = 0; id < profile.nodes.size(); ++id) {
        const analysis::PathNode& node = profile.nodes[id];
        if (!node.calls && !node.exclusive.sum && !node.inclusive.sum)
            continue;
        Group& group = groups[node.name];
        if (group.paths++ == 0)
            group.first_path = id;
        group.calls += node.calls;
        group.exclusive += node.exclusive.sum;
        group.variance = analysis::add_variances(group.variance, node.variance);
        if (!nested[id])
            group.inclusive += node.inclusive.sum;
        if (group.shown_paths.size() < most_shown)
            group.shown_paths.push_back(id);
    }
    std::erase_if(groups, [](const Group& group) { return group.paths == 0; });
    std::sort(groups.begin(), groups.end(),
              [](const Group& a, const Group& b) { return a.first_path < b.first_path; });
    return groups;
}

Rows order(const std::vector<Group>& groups, const config::Config& config) {
    const std::string& column = config.name_grouped_profile_table_sort_table_column;
    std::vector<Candidate> candidates;
    candidates.reserve(groups.size());
    for (const Group& group : groups) {
        std::uint64_t value = column == "time_excl"   ? group.exclusive
                              : column == "time_incl" ? group.inclusive
                              : column == "calls"     ? group.calls
                                                      : 0;
        candidates.push_back({value, static_cast<std::uint32_t>(candidates.size())});
    }
    return {std::move(candidates), config.name_grouped_profile_table_sort_table_ascending,
            config.name_grouped_profile_table_max_rows};
}

std::string list_stack_ids(const Context& context, const Group& group) {
    std::string list;
    for (std::uint32_t id : group.shown_paths)
        list += (list.empty() ? "" : ",") + context.stid(id);
    if (group.shown_paths.size() < group.paths)
        list += ",...";
    return list;
}

std::vector<std::string> cells(const Profile& profile, const Group& group, bool estimates, std::string inclusive,
                               std::string name, std::string stack_ids) {
    auto exclusive = static_cast<double>(group.exclusive);
    auto whole = static_cast<double>(profile.summary.runtime_sum);
    std::vector<std::string> cells{std::to_string(group.calls),
                                   seconds(exclusive, 3),
                                   fixed(whole > 0 ? 100 * exclusive / whole : 0, 1),
                                   std::move(inclusive),
                                   std::move(name),
                                   std::move(stack_ids)};
    if (estimates)
        cells.push_back(uncertainty_text(group.exclusive, group.variance));
    return cells;
}

// Last, so that what reads this table by the places of its columns goes on to do so.
std::vector<std::string> titles(bool estimates) {
    std::vector<std::string> titles{"Calls", "t_excl[s]", "t_excl[%]", "t_incl[s]", "Function", "STIDs"};
    if (estimates)
        titles.push_back(UncertaintyTitle);
    return titles;
}

bool wanted(const Context& context) {
    return context.config.name_grouped_profile_table_show_table;
}

std::string text(Context& context) {
    const Profile& profile = context.profile;
    std::vector<Group> groups = make_groups(
        profile, static_cast<std::size_t>(context.config.name_grouped_profile_table_max_stack_ids));
    Rows rows = order(groups, context.config);
    Footnotes footnotes;
    const bool estimates = has_estimates(profile);
    TextTable table(titles(estimates));
    for (const Candidate& row : rows.shown()) {
        const Group& group = groups[row.id];
        table.add_row(cells(profile, group, estimates, seconds(static_cast<double>(group.inclusive), 3),
                            footnotes.name(context.name(group.first_path)), list_stack_ids(context, group)));
        for (std::uint32_t id : group.shown_paths)
            context.shown[id] = true;
    }
    if (!rows.rest().empty()) {
        Group rest;
        for (const Candidate& row : rows.rest()) {
            rest.calls += groups[row.id].calls;
            rest.exclusive += groups[row.id].exclusive;
            rest.variance = analysis::add_variances(rest.variance, groups[row.id].variance);
        }
        table.add_row(cells(profile, rest, estimates, NoValue, rest_name(rows.rest().size()), NoValue));
    }
    return "Runtime profile (Grouped by function name)\n" + table.to_text() + footnotes.text() + (estimates ? UncertaintyNote : "");
}

} // namespace

extern const Section section_namegroup{"_namegroup", wanted, text};

} // namespace vftr::report
