// SPDX-License-Identifier: BSD-3-Clause
//
// The rows of a comparison as a table (export/tables/table.hpp): the columns of vftr diff --format=csv, and those that
// views show besides. So all that shows rows in columns has the same figures under the same names.
#pragma once

#include "compare/combined_tree.hpp"
#include "compare/comparison.hpp"
#include "export/tables/table.hpp"

#include <vector>

namespace vftr::compare {

// Of files: first the function, or the path with semicolons between its functions. In the order of the comparison.
std::vector<exports::ColumnName> file_columns(const Comparison& comparison);
void put_file_rows(const Comparison& comparison, const CombinedTree& tree, exports::TableSink& sink);

// Of views. A comparison of functions has them in its order; one of call paths has all that lead to its rows, callers
// before what they call, and these have no figures of their own where no run has them any more.
std::vector<exports::ColumnName> view_columns(const Comparison& comparison);
void put_view_rows(const Comparison& comparison, const CombinedTree& tree, exports::TableSink& sink);

} // namespace vftr::compare
