// SPDX-License-Identifier: BSD-3-Clause
//
// The parallel regions: how long they took, and how much of the time of their threads was spent waiting.
#include "report/number_text.hpp"
#include "report/rows.hpp"
#include "report/text_table.hpp"

#include <bit>

namespace vftr::report {
namespace {

using analysis::OpenMpRegion;

std::uint64_t sort_value(const std::string& column, const OpenMpRegion& region, const analysis::PathNode& node) {
    if (column == "calls")
        return node.calls;
    if (column == "threads")
        return region.threads;
    if (column == "time")
        return region.time;
    if (column == "wait")
        return region.wait;
    if (column == "imbalance") // not negative, so its bits have the same order
        return std::bit_cast<std::uint64_t>(region.imbalance() + 0.0);
    if (column == "stack_id")
        return region.node;
    return 0;
}

// The rows of the table; their ids are indices into Profile::regions.
Rows region_rows(const Context& context) {
    const analysis::Profile& profile = context.profile;
    std::vector<Candidate> candidates;
    for (std::uint32_t i = 0; i < profile.regions.size(); ++i) {
        const OpenMpRegion& region = profile.regions[i];
        candidates.push_back(
            {sort_value(context.config.openmp_sort_table_column, region, profile.nodes[region.node]), i});
    }
    return {std::move(candidates), context.config.openmp_sort_table_ascending, context.config.openmp_max_rows};
}

std::string percent_waiting(const OpenMpRegion& region) {
    return region.team ? fixed(100 * static_cast<double>(region.wait) / static_cast<double>(region.team), 1) : NoValue;
}

bool wants_openmp(const Context& context) {
    return context.config.openmp_show_table && !context.profile.regions.empty();
}

std::string openmp_text(Context& context) {
    const analysis::Profile& profile = context.profile;
    const Rows rows = region_rows(context);
    Footnotes footnotes;
    const TextTable table = fitting_table(context, footnotes, {"Region", "Caller"}, [&] {
        TextTable table(
            {"Calls", "Threads", "t_region[s]", "t_wait[s]", "wait[%]", "Imbalance[%]", "Region", "Caller", "STID"});
        for (const Candidate& row : rows.shown()) {
            const OpenMpRegion& region = profile.regions[row.id];
            const analysis::PathNode& node = profile.nodes[region.node];
            table.add_row({std::to_string(node.calls), std::to_string(region.threads),
                           seconds(static_cast<double>(region.time), 3), seconds(static_cast<double>(region.wait), 3),
                           percent_waiting(region), fixed(region.imbalance(), 2), footnotes.name(context, region.node),
                           footnotes.name(context, node.parent), context.stid(region.node)},
                          footnotes.mark(context, region.node));
            context.shown[region.node] = true;
        }
        if (!rows.rest().empty()) {
            OpenMpRegion rest; // t_region is not summed, as times of nested regions overlap
            std::uint64_t calls = 0;
            for (const Candidate& row : rows.rest()) {
                rest.add(profile.regions[row.id]);
                calls += profile.nodes[profile.regions[row.id].node].calls;
            }
            table.add_row({std::to_string(calls), std::to_string(rest.threads), NoValue,
                           seconds(static_cast<double>(rest.wait), 3), NoValue, NoValue, rest_name(rows.rest().size()),
                           NoValue, NoValue});
        }
        return table;
    });
    return section_openmp.title + table.to_text() + footnotes.text() +
           "t_region[s]: from begin to end (t_incl is of all threads); t_wait[s]: of all threads of the teams; wait[%]: of t_region times the threads\n";
}

} // namespace

extern const Section section_openmp{"_openmp", "OpenMP regions\n", wants_openmp, append<openmp_text>};

} // namespace vftr::report
