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
    TextTable table({"STID", "Function", "t_max[s]", "rank", "t_min[s]", "rank", "t_avg[s]"});
    for (const Candidate& row : rows.shown()) {
        const analysis::RankStat& time = profile.nodes[row.id].exclusive;
        table.add_row({std::to_string(row.id), footnotes.name(context.name(row.id)),
                       seconds(static_cast<double>(time.max), 3), std::to_string(time.max_rank),
                       seconds(static_cast<double>(time.min), 3), std::to_string(time.min_rank),
                       seconds(profile.average(time), 3)},
                      footnotes.mark(context, row.id));
        context.shown[row.id] = true;
    }
    if (!rows.rest().empty()) {
        double average = 0;
        for (const Candidate& row : rows.rest())
            average += profile.average(profile.nodes[row.id].exclusive);
        table.add_row({NoValue, rest_name(rows.rest().size()), NoValue, NoValue, NoValue, NoValue,
                       seconds(average, 3)});
    }
    return " Summary: Min/Max runtime across all ranks\n" + table.to_text() + footnotes.text();
}

} // namespace

extern const Section section_minmax{"_minmax", wanted, text};

} // namespace vftr::report
