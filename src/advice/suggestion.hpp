// SPDX-License-Identifier: BSD-3-Clause
//
// Which functions are best not recorded, and what that brings.
//
// The rule. A call that takes less than it costs to time it tells little and costs most: such functions are left out,
// dearest first, until the hooks cost no more than the bound. Dearest first gives the fewest functions. What has a
// share of the program's CPU time worth knowing, and known in spite of its hooks, stays, and what the user has asked
// for by name (sampling.precise_functions), and main. If the bound is not reached so, the rest is said and not done:
// aggressive leaves out by cost alone.
#pragma once

#include "advice/observed.hpp"
#include "advice/trace_size.hpp"

namespace vftr::advice {

struct Bounds {
    double max_overhead = 2;                     // percent of the program's CPU time
    std::uint64_t max_events = ~0ull;            // of a timeline of all calls
    double keep_share = 5;                       // percent of the program's CPU time: a function with more stays
    bool aggressive = false;                     // neither this nor the time of a call matters
    std::size_t max_functions = ~std::size_t{0}; // to leave out
};

enum class Decision : std::uint8_t {
    Recorded, // it need not be left out
    Excluded,
    EntryPoint, // main
    Precise,    // the user asked for it
    LargeShare, // more of the time than keep_share
    SharedName, // no expression means it and not the functions of other files that have its name
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
        removed; // as it is; with the filter, if each excluded call still costs the look at it; without their hooks
    bool reached = false; // the bounds, by `filtered`
};

// main, in Fortran as well.
bool is_entry_point(const std::string& name);

Suggestion suggest(const Observed& observed, const CallCosts& costs, const Bounds& bounds);

} // namespace vftr::advice
