// SPDX-License-Identifier: BSD-3-Clause
//
// Functions that were recorded at first and then excluded: because they proved to be short and frequent
// (filter.auto_exclude), because the program asked for it, or because the rank turned out to be one that records no
// functions. So the tables do not have all of their calls.
#include "report/number_text.hpp"
#include "report/rows.hpp"
#include "report/text_table.hpp"

#include <algorithm>

namespace vftr::report {
namespace {

struct Function {
    std::uint64_t calls = 0, exclusive = 0;
    bool excluded = false;
};

bool wants_excluded(const Context& context) {
    const std::vector<analysis::PathNode>& nodes = context.profile.nodes;
    return std::any_of(nodes.begin(), nodes.end(), [](const analysis::PathNode& node) { return node.excluded; });
}

// Sums by name over all paths, as threads that ended before the exclusion have calls on paths that are not marked.
std::vector<Function> functions_of(const analysis::Profile& profile) {
    std::vector<Function> functions(profile.names.size());
    for (const analysis::PathNode& node : profile.nodes) {
        Function& function = functions[node.name];
        function.calls += node.calls;
        function.exclusive += node.exclusive;
        function.excluded |= node.excluded;
    }
    return functions;
}

std::string excluded_text(Context& context) {
    const std::vector<Function> functions = functions_of(context.profile);
    std::vector<Candidate> candidates;
    for (std::uint32_t name = 0; name < functions.size(); ++name)
        if (functions[name].excluded)
            candidates.push_back({functions[name].calls, name});
    const Rows rows(std::move(candidates), false, context.config.profile_table_max_rows);
    Footnotes footnotes;
    TextTable table({"Calls", "t_excl[s]", "Function"});
    for (const Candidate& row : rows.shown())
        table.add_row({std::to_string(row.value), seconds(static_cast<double>(functions[row.id].exclusive), 3),
                       footnotes.name(context, context.names.of_name(row.id))});
    if (!rows.rest().empty()) {
        Function rest;
        for (const Candidate& row : rows.rest()) {
            rest.calls += row.value;
            rest.exclusive += functions[row.id].exclusive;
        }
        table.add_row({std::to_string(rest.calls), seconds(static_cast<double>(rest.exclusive), 3),
                       rest_name(rows.rest().size())});
    }
    return "Functions excluded while the program ran\n" + table.to_text() + footnotes.text() +
           "Calls and times are those until then; later calls are not counted, and their time is their callers'\n";
}

} // namespace

extern const Section section_excluded{"", "", wants_excluded, append<excluded_text>};

} // namespace vftr::report
