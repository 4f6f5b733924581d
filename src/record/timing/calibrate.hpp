// SPDX-License-Identifier: BSD-3-Clause
//
// Measures how long pairs of hooks take in this process at this time: it calls the hooks in loops on a thread state
// made for this, and runs the same loops without them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace vftr::record {

enum class PairKind {
    Timed,     // timed calls that do next to nothing
    Long,      // timed calls that take longer than reading the clock
    Clock,     // no hooks, but two clock readings
    Folded,    // direct recursion
    CountOnly, // count-only calls of one function
    Nested,    // count-only calls, some of which call another function
    Rare,      // count-only calls, and now and then a timed call of another function
    Either,    // count-only calls of one of two functions in an unpredictable order
    Excluded,  // calls of a function that is not recorded
};
inline constexpr std::size_t PairKinds = 9;

// Sums over the pairs of one kind, in ticks.
struct PairTimes {
    double pairs = 0;
    double with = 0, without = 0; // time with and without hooks
    double measured = 0;          // time that the hooks measured for the timed calls
    double timed = 0;             // number of timed calls
    double nested = 0;            // number of calls within calls

    double all() const { return std::max(with - without, 0.0); }
    double pair() const { return all() / std::max(pairs, 1.0); }
    // The time between the two clock readings of a pair, without the work in between.
    double inside(double work) const { return std::max(measured / std::max(timed, 1.0) - work, 0.0); }
    // What a call costs in addition if it has a callee, where each call costs `each`.
    double nesting(double each) const { return std::max(all() - each * (pairs + nested), 0.0) / std::max(nested, 1.0); }
    // The cost of a timed pair among others that cost `others`.
    double timed_among(double others) const {
        return std::max(all() - others * (pairs - timed), 0.0) / std::max(timed, 1.0);
    }

    PairTimes& operator+=(const PairTimes& other) {
        pairs += other.pairs;
        with += other.with;
        without += other.without;
        measured += other.measured;
        timed += other.timed;
        nested += other.nested;
        return *this;
    }
    PairTimes& operator*=(double factor) {
        for (double* sum : {&pairs, &with, &without, &measured, &timed, &nested})
            *sum *= factor;
        return *this;
    }
};
using AllPairTimes = std::array<PairTimes, PairKinds>;

// Used by one thread at a time. Zero-initialised; a forked child has a copy.
class Calibration {
public:
    struct Scratch;
    bool exists() const { return scratch_ != nullptr; }
    bool create(); // false: no memory
    // One sample of each kind, with the event stream as it is set; takes about 0.1 ms. The calling thread must not be
    // interrupted meanwhile: the hooks of a signal handler would find the thread state that was made for the loops.
    AllPairTimes sample();

private:
    Scratch* scratch_ = nullptr;
};

} // namespace vftr::record
