// SPDX-License-Identifier: BSD-3-Clause
//
// What each run has measured, by row of a comparison: exclusive times with their errors, and calls.
#pragma once

#include "compare/combined_tree.hpp"
#include "compare/sides.hpp"
#include "symbols/pattern.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace vftr::compare {

// What of the ranks is compared: their sum, the average of a rank, or the most that one has.
enum class By { Sum, Mean, Max };

// By what times are divided: nothing, the application time of the run, or the calls of the functions that match.
enum class Divisor { None, ApplicationTime, Calls };

struct Measure {
    By by = By::Sum;
    Divisor divisor = Divisor::None;
    const symbols::Pattern* calls_of = nullptr; // of Divisor::Calls
    bool paths = false;                         // a row is a call path; else a function
};

// Times are in Measured::unit. Errors are standard deviations, but for `unknown`.
struct Cell {
    double time = 0;
    double variance = 0; // square of the error of what was estimated from some of its calls
    double unknown = 0;  // half the width of the interval of the systematic error: the cost of the hooks
    double scatter = 0;  // between ranks
    std::uint64_t calls = 0;
    bool there = false, estimated_calls = false;
};

struct MeasuredRun {
    std::vector<Cell> rows; // by function or place
    double application = 0; // application time of a rank on average, seconds
    double all = 0;         // sum of the rows' times
    std::uint32_t ranks = 1;
};

struct Measured {
    PerSide<std::vector<MeasuredRun>> runs;
    std::string unit = "s"; // of the times
};

// Throws std::runtime_error where no function of a run matches Measure::calls_of, or the runs of a side have different
// numbers of ranks.
Measured measure(const Runs& runs, const CombinedTree& tree, const Measure& wanted);

} // namespace vftr::compare
