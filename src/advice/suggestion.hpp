// SPDX-License-Identifier: BSD-3-Clause
//
// Decides which functions are best excluded from recording, and predicts the effect.
//
// The rule: a call that takes less time than it costs to time it has little information and the highest relative cost.
// Such functions are excluded in the order of descending cost, which needs the fewest functions, until the hooks cost
// no more than the bound. Three kinds of functions always stay: those with a large share of the program's CPU time that
// is known in spite of their hooks, those that the user has named (sampling.precise_functions), and main. If the bound
// cannot be reached in this way, that is reported; with `aggressive`, functions are excluded by cost alone.
#pragma once

#include "advice/observed.hpp"
#include "advice/trace_size.hpp"

namespace vftr::advice {

struct Bounds {
    double max_overhead = 2;          // percent of the program's CPU time
    std::uint64_t max_events = ~0ull; // in a timeline of all calls
    double keep_share = 5;            // percent of the program's CPU time; functions with a larger share stay
    bool aggressive = false;          // ignore keep_share and the time of a call
    std::size_t max_functions = ~std::size_t{0}; // limit for the number of excluded functions
};

enum class Decision : std::uint8_t {
    Recorded, // there is no need to exclude it
    Excluded,
    EntryPoint, // main
    Precise,    // the user asked for it
    LargeShare, // its share of the time is above keep_share
    SharedName, // every expression for it would also match functions of the same name from other files
    LongCalls,  // a call takes longer than it costs to time it
};

struct Outcome {
    double overhead = 0; // percent of the program's CPU time
    TraceSize trace;
};

struct Suggestion {
    std::vector<Decision> decisions; // by function
    std::size_t excluded = 0;
    Outcome now, filtered,
        removed; // now: without a filter; filtered: with the filter, where each excluded call still costs the filter
                 // decision; removed: with the hooks of excluded functions removed
    bool reached = false; // whether `filtered` is within the bounds
};

// Whether it is main, or the main program of Fortran.
bool is_entry_point(const std::string& name);

Suggestion suggest(const Observed& observed, const CallCosts& costs, const Bounds& bounds);

} // namespace vftr::advice
