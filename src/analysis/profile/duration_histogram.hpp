// SPDX-License-Identifier: BSD-3-Clause
//
// The durations of the calls of one call path or function. It holds the classes between the shortest and the longest
// call, so that most take some hundred bytes, and none more than 4 KB, however many calls there are.
#pragma once

#include "analysis/profile/duration_classes.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vftr::analysis {

class DurationHistogram {
public:
    // So many calls that took about as long.
    void add(std::uint64_t ns, std::uint64_t calls = 1);
    void add(const DurationHistogram& other);
    // The shortest and the longest call are at least so short and so long. There are calls already.
    void widen(std::uint64_t shortest, std::uint64_t longest);

    std::uint64_t count() const { return count_; }
    // 0 where there are no calls.
    std::uint64_t shortest() const { return shortest_; }
    std::uint64_t longest() const { return longest_; }
    std::uint64_t sum() const { return sum_; }
    // The duration that this share of the calls does not exceed, from 0 (exclusive) to 1. Known within a class (12.5
    // %), and exact where it is the shortest or the longest one. 0 where there are no calls.
    std::uint64_t quantile(double share) const;

    // The classes that have calls lie among these; their numbers are those of DurationClasses.
    std::size_t first_class() const { return first_; }
    std::size_t end_class() const { return first_ + counts_.size(); }
    std::uint64_t count_of(std::size_t number) const { return counts_[number - first_]; }

    // All that it consists of, for its writer and its reader (merge/serialize.cpp).
    template <class Visitor, class Histogram>
    static void visit(Visitor& visitor, Histogram& histogram) {
        visitor.field(histogram.shortest_);
        visitor.above(histogram.shortest_, histogram.longest_);
        visitor.field(histogram.sum_);
        visitor.field(histogram.first_);
        visitor.size(histogram.counts_, 1, "the number of durations");
        for (auto& calls : histogram.counts_)
            visitor.field(calls);
    }
    static constexpr std::size_t SmallestVisit = 5; // one byte per field
    // After a reader has visited it. False: it is damaged.
    bool complete();

private:
    std::uint32_t first_ = 0;
    std::vector<std::uint64_t> counts_; // by class, from first_ on
    std::uint64_t count_ = 0, shortest_ = 0, longest_ = 0, sum_ = 0;
};

// Of the calls of a path that were timed. One that stands for others counts as all of these.
struct PathDurations {
    std::uint32_t node; // index into Profile::nodes
    DurationHistogram histogram;
};
// Of a path among those that are sorted by node; nullptr: they are not known.
const DurationHistogram* durations_of(const std::vector<PathDurations>& all, std::uint32_t node);

} // namespace vftr::analysis
