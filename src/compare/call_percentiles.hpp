// SPDX-License-Identifier: BSD-3-Clause
//
// How long single calls of the rows of a comparison take, where their durations were recorded
// (profile_table.show_distribution): the median, 90 % and 99 % of each side, of the calls of all its runs and ranks
// together. A mean does not tell a change in few long calls from one in all of them.
//
// They have no interval and no verdict: what calls have in common, such as the speed of the machine in a run, is no
// chance of single calls. What is told of a row is that they differ by more than they are known to.
#pragma once

#include "compare/combined_tree.hpp"
#include "compare/sides.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vftr::compare {

// With their names in files.
struct Percentile {
    const char* title;
    double share;
    PerSide<const char*> names;
    const char* difference_name;
};
inline constexpr std::array Percentiles{
    Percentile{"median", 0.5, {"base_median_call_ns", "new_median_call_ns"}, "median_call_difference_ns"},
    Percentile{"90 %", 0.9, {"base_p90_call_ns", "new_p90_call_ns"}, "p90_call_difference_ns"},
    Percentile{"99 %", 0.99, {"base_p99_call_ns", "new_p99_call_ns"}, "p99_call_difference_ns"}};
inline constexpr PerSide<const char*> TimedCallsNames = {"base_timed_calls", "new_timed_calls"};

struct CallPercentiles {
    std::uint64_t calls = 0;                            // that were timed; one that stands for others counts as these
    std::array<std::uint64_t, Percentiles.size()> ns{}; // by percentile
};

// Of a row of which a side at least has such calls. A side without any has no percentiles.
struct RowPercentiles {
    std::uint32_t id = 0; // of the row
    PerSide<CallPercentiles> of;

    bool are_in_both() const { return of[Base].calls != 0 && of[New].calls != 0; }
    // New less base, in nanoseconds. Both sides have them.
    double difference(std::size_t percentile) const {
        return static_cast<double>(of[New].ns[percentile]) - static_cast<double>(of[Base].ns[percentile]);
    }
    // Whether that is more than what percentiles are known to, and no matter of a handful of calls. False where a side
    // has none.
    bool differs(std::size_t percentile) const;
    bool differs() const;
};

// By row, ascending: of functions or, with `paths`, of places.
std::vector<RowPercentiles> call_percentiles(const Runs& runs, const CombinedTree& tree, bool paths);

} // namespace vftr::compare
