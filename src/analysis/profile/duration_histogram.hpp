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
    void add(std::uint64_t ns);

    std::uint64_t count() const { return count_; }
    // 0 where there are no calls.
    std::uint64_t shortest() const { return shortest_; }
    std::uint64_t longest() const { return longest_; }
    std::uint64_t sum() const { return sum_; }
    // The duration that this share of the calls does not exceed, from 0 (exclusive) to 1. Known within 12.5 %, and
    // exact where it is the shortest or the longest one. 0 where there are no calls.
    std::uint64_t quantile(double share) const;

    // The classes that have calls lie among these; their numbers are those of DurationClasses.
    std::size_t first_class() const { return first_; }
    std::size_t end_class() const { return first_ + counts_.size(); }
    std::uint64_t count_of(std::size_t number) const { return counts_[number - first_]; }

private:
    std::size_t first_ = 0;
    std::vector<std::uint64_t> counts_; // by class, from first_ on
    std::uint64_t count_ = 0, shortest_ = 0, longest_ = 0, sum_ = 0;
};

} // namespace vftr::analysis
