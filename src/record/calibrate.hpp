// SPDX-License-Identifier: BSD-3-Clause
//
// How long pairs of hooks take here and now: the hooks themselves, called in loops on a thread state made for it, and
// the same loops without them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace vftr::record {

enum class PairKind {
    Timed,    // calls that do next to nothing
    Long,     // calls that do more than reading the clock takes
    Clock,    // no hooks, but two readings of the clock
    Folded,   // direct recursion
    Untimed,  // calls of one function
    Nested,   // the same, and some of the calls call another function
    Rare,     // the same, and now and then another function is called that is timed
    Either,   // count-only calls of one of two functions, and nothing tells which
    Excluded, // calls of a function that is not recorded
};
inline constexpr std::size_t PairKinds = 9;

// Of one kind; ticks.
struct PairTimes {
    double pairs = 0;
    double with = 0, without = 0; // hooks
    double measured = 0;          // by the hooks, of the calls that are timed
    double timed = 0;             // calls
    double nested = 0;            // calls in calls

    double all() const { return std::max(with - without, 0.0); }
    double pair() const { return all() / std::max(pairs, 1.0); }
    // What lies between the two readings of the clock, but for the work in between.
    double inside(double work) const { return std::max(measured / std::max(timed, 1.0) - work, 0.0); }
    // What a call costs more that calls somebody, where all calls cost so much.
    double nesting(double each) const { return std::max(all() - each * (pairs + nested), 0.0) / std::max(nested, 1.0); }
    // Of a pair that is timed among others that cost so much.
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
};
using AllPairTimes = std::array<PairTimes, PairKinds>;

// Used by one thread at a time. Zero-initialised; a forked child has a copy.
class Calibration {
public:
    struct Scratch;
    bool exists() const { return scratch_ != nullptr; }
    bool create(); // false: no memory
    // One sample of each kind, with the event stream as it is set: about 0.1 ms. On the calling thread, which nothing
    // may interrupt meanwhile: a signal handler's hooks would find a thread state that is none.
    void add_sample(AllPairTimes& sums);

private:
    Scratch* scratch_ = nullptr;
};

} // namespace vftr::record
