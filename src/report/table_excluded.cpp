// SPDX-License-Identifier: BSD-3-Clause
//
// Functions that were recorded at first and then excluded: because they proved to be short and frequent
// (filter.auto_exclude), because the program asked for it, or because the rank turned out to be one that records no
// functions. So the tables do not have all of their calls.
#include "report/function_groups.hpp"
#include "report/number_text.hpp"
#include "report/rows.hpp"
#include "report/text_table.hpp"

#include <algorithm>

namespace vftr::report {
namespace {

bool wants_excluded(const Context& context) {
    const std::vector<analysis::PathNode>& nodes = context.profile.nodes;
    return std::any_of(nodes.begin(), nodes.end(), [](const analysis::PathNode& node) { return node.excluded; });
}

// Over all paths of a function, as threads that ended before the exclusion have calls on paths that are not marked.
std::string excluded_text(Context& context) {
    const std::vector<FunctionGroup> functions = function_groups(context.profile, 0);
    std::vector<Candidate> candidates;
    for (std::uint32_t i = 0; i < functions.size(); ++i)
        if (functions[i].excluded)
            candidates.push_back({functions[i].calls.number, i});
    const Rows rows(std::move(candidates), false, context.config.profile_table_max_rows);
    Footnotes footnotes;
    const TextTable table = fitting_table(context, footnotes, {"Function"}, [&] {
        TextTable table({"Calls", "t_excl[s]", "Function"});
        for (const Candidate& row : rows.shown())
            table.add_row({std::to_string(row.value), seconds(static_cast<double>(functions[row.id].exclusive), 3),
                           footnotes.name(context, functions[row.id].first_path)});
        if (!rows.rest().empty()) {
            std::uint64_t calls = 0, exclusive = 0;
            for (const Candidate& row : rows.rest()) {
                calls += row.value;
                exclusive += functions[row.id].exclusive;
            }
            table.add_row(
                {std::to_string(calls), seconds(static_cast<double>(exclusive), 3), rest_name(rows.rest().size())});
        }
        return table;
    });
    return "Functions excluded while the program ran\n" + table.to_text() + footnotes.text() +
           "Calls and times are those until then; later calls are not counted, and their time is their callers'\n";
}

} // namespace

extern const Section section_excluded{"", "", wants_excluded, append<excluded_text>};

} // namespace vftr::report
