// SPDX-License-Identifier: BSD-3-Clause
//
// Exclusive times per rank: where a call path takes longest and shortest.
#include "report/rows.hpp"
#include "report/text.hpp"
#include "report/text_table.hpp"

namespace vftr::report {
namespace {

bool wanted(const Context& context) {
    return context.config.profile_table_show_minmax_summary;
}

std::string text(Context& context) {
    const analysis::Profile& profile = context.profile;
    Rows rows = call_path_rows(context);
    Footnotes footnotes;
    const bool estimates = has_estimates(profile);
    std::vector<std::string> titles{"STID", "Function", "t_max[s]", "rank", "t_min[s]", "rank", "t_avg[s]"};
    if (estimates)
        titles.push_back(UncertaintyTitle); // of the average
    TextTable table(std::move(titles));
    for (const Candidate& row : rows.shown()) {
        const analysis::RankStat& time = profile.nodes[row.id].exclusive;
        std::vector<std::string> cells{context.stid(row.id), footnotes.name(context.name(row.id)),
                       seconds(static_cast<double>(time.max), 3), std::to_string(time.max_rank),
                       seconds(static_cast<double>(time.min), 3), std::to_string(time.min_rank),
                       seconds(profile.average(time), 3)};
        if (estimates)
            cells.push_back(uncertainty_text(time.sum, profile.nodes[row.id].variance));
        table.add_row(std::move(cells), footnotes.mark(context, row.id));
        context.shown[row.id] = true;
    }
    if (!rows.rest().empty()) {
        double average = 0;
        std::uint64_t sum = 0, variance = 0;
        for (const Candidate& row : rows.rest()) {
            const analysis::PathNode& node = profile.nodes[row.id];
            average += profile.average(node.exclusive);
            sum += node.exclusive.sum;
            variance = analysis::add_variances(variance, node.variance);
        }
        std::vector<std::string> cells{NoValue, rest_name(rows.rest().size()), NoValue, NoValue, NoValue, NoValue, seconds(average, 3)};
        if (estimates)
            cells.push_back(uncertainty_text(sum, variance));
        table.add_row(std::move(cells));
    }
    const std::string whose = of_one_rank(profile) ? "of rank " + std::to_string(profile.first_rank) + " alone" : "across all ranks";
    return " Summary: Min/Max runtime " + whose + '\n' + table.to_text() + footnotes.text() +
           (estimates ? "±[%]: of t_avg, as in the runtime profile\n" : "");
}

} // namespace

extern const Section section_minmax{"_minmax", wanted, text};

} // namespace vftr::report
