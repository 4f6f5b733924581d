// SPDX-License-Identifier: BSD-3-Clause
//
// Minima and maxima over ranks: where a call path takes longest and shortest.
#include "report/number_text.hpp"
#include "report/rows.hpp"
#include "report/text_table.hpp"

namespace vftr::report {
namespace {

void add_times(const analysis::Profile& profile, std::vector<std::string>& cells, const analysis::RankStat& time) {
    cells.insert(cells.end(), {seconds(static_cast<double>(time.max), 3), std::to_string(time.max_rank),
                               seconds(static_cast<double>(time.min), 3), std::to_string(time.min_rank),
                               seconds(profile.average(time), 3)});
}

bool wants_minmax(const Context& context) { return context.config.profile_table_show_minmax_summary; }

std::string minmax_text(Context& context) {
    const analysis::Profile& profile = context.profile;
    Rows rows = call_path_rows(context);
    Footnotes footnotes;
    const bool exclusive = compares_exclusive(context), inclusive = compares_inclusive(context),
               uncertain = exclusive && shows_uncertainty(profile);
    std::vector<std::string> titles{"STID", "Function"};
    if (exclusive)
        titles.insert(titles.end(), {"t_max[s]", "rank", "t_min[s]", "rank", "t_avg[s]"});
    if (inclusive)
        titles.insert(titles.end(), {"t_incl max[s]", "rank", "t_incl min[s]", "rank", "t_incl avg[s]"});
    if (uncertain)
        titles.push_back(UncertaintyTitle); // uncertainty of the average
    const TextTable table = fitting_table(context, footnotes, {"Function"}, [&] {
        TextTable table(titles);
        for (const Candidate& row : rows.shown()) {
            const analysis::PathNode& node = profile.nodes[row.id];
            std::vector<std::string> cells{context.stid(row.id), footnotes.name(context, row.id)};
            if (exclusive)
                add_times(profile, cells, profile.exclusive(row.id));
            if (inclusive)
                add_times(profile, cells, profile.inclusive(row.id));
            if (uncertain)
                cells.push_back(uncertainty_text(node));
            table.add_row(std::move(cells), footnotes.mark(context, row.id));
            context.shown[row.id] = true;
        }
        if (!rows.rest().empty()) {
            double average = 0;
            analysis::Uncertainty uncertainty;
            for (const Candidate& row : rows.rest()) {
                const analysis::PathNode& node = profile.nodes[row.id];
                average += profile.average(node.exclusive);
                uncertainty.add(node);
            }
            std::vector<std::string> cells{NoValue, rest_name(rows.rest().size())};
            if (exclusive)
                cells.insert(cells.end(), {NoValue, NoValue, NoValue, NoValue, seconds(average, 3)});
            if (inclusive) // inclusive times overlap, so they have no sum
                cells.insert(cells.end(), 5, NoValue);
            if (uncertain)
                cells.push_back(uncertainty_text(uncertainty));
            table.add_row(std::move(cells));
        }
        return table;
    });
    const std::string whose =
        of_one_rank(profile) ? "of rank " + std::to_string(profile.first_rank) + " alone" : "across all ranks";
    return section_minmax.title + whose + '\n' + table.to_text() + footnotes.text() +
           exclusive_note(context, "t_max, t_min, t_avg") +
           (uncertain ? "±[%]: of t_avg, as in the runtime profile\n" : "");
}

} // namespace

extern const Section section_minmax{"_minmax", " Summary: Min/Max runtime ", wants_minmax, append<minmax_text>};

} // namespace vftr::report
