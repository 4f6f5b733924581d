// SPDX-License-Identifier: BSD-3-Clause
//
// What a page of two runs shows of the difference between them: packed data (export/html/packed.hpp) beside those of
// the runs. So all that the page says of a difference was computed here, as for vftr diff.
#pragma once

#include "compare/combined_tree.hpp"
#include "compare/comparison.hpp"
#include "export/sink.hpp"

namespace vftr::compare {

// Both comparisons are of the same runs, and their times are seconds. Needs RapidJSON and zlib.
//
// The document is {"answer": a sentence, "notes": [sentence…], "functions": that of vftr diff --format=json, "telling":
// [index of a row that matters…], "remarks": [what is said of each of these]}. The only tree of the directory is the
// combined one. Its columns, besides those of all trees:
//   id                          the STID of the path in the first new run; of gone ones a number that no path has
//   base, new                   exclusive time in s
//   base_inclusive, new_inclusive
//   ratio, low, high            as those of a row of the document; NaN: not known
//   base_median_call_ns, new_median_call_ns, and those of p90 and p99, where durations of single calls are known; NaN:
//   not of the path base_calls, new_calls       and base_calls_most, new_calls_most, where the runs of a side differ
//   verdict                     index of "verdicts" of the directory; 0xffffffff: no run has the path, as it has moved
//   changed                     bit 0: calls_changed, bit 1: calls_estimated
//   renamed_from, moved_from    a name; 0xffffffff: none
void write_comparison_page(const Comparison& functions, const Comparison& paths, const CombinedTree& tree,
                           const analysis::Profile& new_run, exports::Sink& sink);

} // namespace vftr::compare
