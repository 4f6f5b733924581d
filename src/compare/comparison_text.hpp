// SPDX-License-Identifier: BSD-3-Clause
//
// A comparison as a text that begins with the answer, and as rows for scripts.
#pragma once

#include "compare/comparison.hpp"
#include "compare/row_names.hpp"
#include "export/sink.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace vftr::compare {

struct TextOptions {
    bool all = false;            // rows that do not matter, too
    std::uint64_t max_rows = 50; // 0: no limit
    double noise = 1;            // as in Judging, for the note
};

// "New is 5.1 % slower: 1.090 s → 1.146 s (ratio 1.051, …)"
std::string answer(const Comparison& comparison);

// What a reader must know of the figures. Sentences without a full stop.
std::vector<std::string> notes(const Comparison& comparison, const TextOptions& options);

std::string comparison_text(const Comparison& comparison, const CombinedTree& tree, const TextOptions& options);

// What of whole programs was measured from outside, by row.
struct ProgramRow {
    std::string name; // "wall time, not recorded"
    SeriesComparison series;
};
std::string program_text(const std::vector<ProgramRow>& rows);

// All rows.
void write_csv(const Comparison& comparison, const CombinedTree& tree, exports::Sink& sink);
// Only where vftrace was built with RapidJSON.
void write_json(const Comparison& comparison, const CombinedTree& tree, exports::Sink& sink);
// Lines "a;b;c N M" with the nanoseconds of both sides, as FlameGraph's difffolded.pl writes them. Of a comparison of
// call paths whose times are seconds.
void write_folded(const Comparison& comparison, const CombinedTree& tree, exports::Sink& sink);

} // namespace vftr::compare
