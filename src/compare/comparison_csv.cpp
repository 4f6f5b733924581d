// SPDX-License-Identifier: BSD-3-Clause
//
// Comma-separated values and folded stacks.
#include "compare/comparison_text.hpp"

#include "export/csv/csv_field.hpp"
#include "export/depth_first.hpp"
#include "report/number_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace vftr::compare {
namespace {

std::string joined(const std::vector<std::string>& path) {
    std::string text;
    for (std::string function : path) {
        std::ranges::replace(function, ';', ',');
        text += (text.empty() ? "" : ";") + function;
    }
    return text;
}

} // namespace

void write_csv(const Comparison& comparison, const CombinedTree& tree, exports::Sink& sink) {
    const RowNames names(tree, comparison.measure.paths);
    sink.text(comparison.measure.paths ? "path" : "function");
    sink.text(",base,new,difference,ratio,low,high,p,base_calls_min,base_calls_max,new_calls_min,new_calls_max,"
              "calls_changed,verdict,renamed_from,moved_from\n");
    for (const Row& row : comparison.rows) {
        sink.text(exports::csv_field(comparison.measure.paths ? joined(names.path(row.id)) : names.function_of(row)));
        for (const double time : {row.time[Base], row.time[New], row.difference()})
            sink.text(',' + report::plain(time));
        if (row.interval)
            for (const double value : {row.interval->ratio, row.interval->low, row.interval->high, row.interval->p})
                sink.text(',' + report::plain(value));
        else
            sink.text(",,,,");
        for (const CallsOfRuns& calls : row.calls)
            sink.text(',' + std::to_string(calls.least) + ',' + std::to_string(calls.most));
        sink.text(row.calls_changed ? ",1," : ",0,");
        sink.text(verdict_name(row.verdict));
        sink.text(',' + exports::csv_field(names.renamed_from(row)) + ',' + exports::csv_field(names.moved_from(row)) +
                  '\n');
    }
}

void write_folded(const Comparison& comparison, const CombinedTree& tree, exports::Sink& sink) {
    const RowNames names(tree, true);
    std::vector<std::array<std::uint64_t, 2>> times(tree.size()); // by place: ns
    for (const Row& row : comparison.rows)
        for (std::size_t side = 0; side < row.time.size(); ++side)
            times[row.id][side] = static_cast<std::uint64_t>(std::llround(1e9 * row.time[side]));
    std::string path;
    std::vector<std::size_t> ends{0}; // by depth: where the path of the caller ends
    for (const exports::Visit visit : exports::depth_first(tree.paths())) {
        ends.resize(visit.depth + 1);
        path.resize(ends.back());
        path += joined({names.function_name(tree.function(visit.node))});
        const auto& [base, next] = times[visit.node];
        if (base != 0 || next != 0)
            sink.text(path + ' ' + std::to_string(base) + ' ' + std::to_string(next) + '\n');
        path += ';';
        ends.push_back(path.size());
    }
}

} // namespace vftr::compare
