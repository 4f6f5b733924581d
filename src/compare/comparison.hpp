// SPDX-License-Identifier: BSD-3-Clause
//
// The rows of a comparison with their verdicts. README.md says how these are reached.
#pragma once

#include "compare/call_percentiles.hpp"
#include "compare/combined_tree.hpp"
#include "compare/measured.hpp"
#include "compare/statistics.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::compare {

enum class Verdict : std::uint8_t { Slower, Faster, Same, NotKnown, New, Gone };
inline constexpr std::size_t VerdictCount = 6;

std::string_view verdict_name(Verdict verdict); // "not known"

// Calls of the runs of a side.
struct CallsOfRuns {
    std::uint64_t least = 0, most = 0;
    bool estimated = false;

    bool is_certain() const { return least == most && !estimated; }
};

struct Row {
    std::uint32_t id = 0;                // function, or place
    std::uint32_t percentiles = Nowhere; // index into Comparison::percentiles; Nowhere: there are none
    PerSide<double> time{};
    PerSide<CallsOfRuns> calls;
    PerSide<std::uint32_t> runs{};         // how many runs have it
    std::optional<RatioInterval> interval; // nullopt: one side has no time, or it could not matter
    Verdict verdict = Verdict::NotKnown;
    // A function that this row's calls only on the side where it is faster, with half of the difference at least:
    // perhaps the compiler has inlined it on the other one. Nowhere: there is none.
    std::uint32_t perhaps_inlined = Nowhere;
    bool calls_changed = false; // for certain, of a rank on average
    bool matters = false;       // it is worth a line
    bool calls_matter = false;  // so are its single calls

    double difference() const { return time[New] - time[Base]; }
};

struct Comparison {
    // Sorted by the size of the difference, largest first. Functions or places that no run has are left out.
    std::vector<Row> rows;
    std::vector<RowPercentiles> percentiles; // of those rows of which durations of single calls are known
    Measure measure;
    std::string unit;
    std::vector<std::string> incomplete; // what runs lack (incomplete_runs.hpp)
    PerSide<std::size_t> runs{};         // how many
    bool paired = false;                 // as in Judging, of several runs
    PerSide<std::uint32_t> ranks{};      // of the first run
    PerSide<double> application{};       // mean application time of a rank, seconds
    std::optional<RatioInterval> total;  // of the application time; nullopt: it is not known
    Verdict total_verdict = Verdict::NotKnown;

    std::size_t count(Verdict verdict) const;
    // nullptr: they are not known.
    const RowPercentiles* percentiles_of(const Row& row) const {
        return row.percentiles == Nowhere ? nullptr : &percentiles[row.percentiles];
    }
};

struct Judging {
    // By how much two runs of one program differ in 19 of 20 cases, where each side has one run only.
    double noise = 1;
    // The runs of the same index are a pair, one made directly after the other. Both sides have the same number.
    bool paired = false;
};

// One quantity of the runs of both sides, such as the wall time of the whole program, judged by itself.
struct SeriesComparison {
    PerSide<double> mean{};
    std::optional<RatioInterval> interval; // nullopt: one side is 0
    Verdict verdict = Verdict::NotKnown;
};
SeriesComparison compare_series(const PerSide<std::vector<double>>& values, const Judging& judging);

Comparison compare(const Runs& runs, const CombinedTree& tree, const Measure& measure, const Judging& judging);

} // namespace vftr::compare
