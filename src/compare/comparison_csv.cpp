// SPDX-License-Identifier: BSD-3-Clause
//
// Comma-separated values and folded stacks.
#include "compare/comparison_text.hpp"

#include "compare/comparison_table.hpp"
#include "export/csv/csv_rows.hpp"
#include "export/depth_first.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace vftr::compare {

void write_csv(const Comparison& comparison, const CombinedTree& tree, exports::Sink& sink) {
    exports::CsvRows rows(sink, "\n");
    rows.put_titles(file_columns(comparison));
    put_file_rows(comparison, tree, rows);
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
        path += joined_path({names.function_name(tree.function(visit.node))});
        const auto& [base, next] = times[visit.node];
        if (base != 0 || next != 0)
            sink.text(path + ' ' + std::to_string(base) + ' ' + std::to_string(next) + '\n');
        path += ';';
        ends.push_back(path.size());
    }
}

} // namespace vftr::compare
