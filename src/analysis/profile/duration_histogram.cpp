// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/profile/duration_histogram.hpp"

#include <algorithm>
#include <cmath>

namespace vftr::analysis {

void DurationHistogram::add(std::uint64_t ns) {
    const std::size_t number = DurationClasses::of(ns);
    if (counts_.empty())
        first_ = number;
    if (number < first_) {
        counts_.insert(counts_.begin(), first_ - number, 0);
        first_ = number;
    } else if (number >= end_class()) {
        counts_.resize(number - first_ + 1);
    }
    ++counts_[number - first_];
    shortest_ = count_ == 0 ? ns : std::min(shortest_, ns);
    longest_ = std::max(longest_, ns);
    sum_ += ns;
    ++count_;
}

// Within a class, calls are taken as evenly spread.
std::uint64_t DurationHistogram::quantile(double share) const {
    if (count_ == 0)
        return 0;
    const auto rank = std::clamp<std::uint64_t>(
        static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_))), 1, count_);
    if (rank == 1 || rank == count_)
        return rank == 1 ? shortest_ : longest_;
    std::uint64_t before = 0;
    std::size_t number = first_;
    while (before + count_of(number) < rank)
        before += count_of(number++);
    const auto begin = static_cast<double>(DurationClasses::begin(number));
    const auto width = static_cast<double>(DurationClasses::begin(number + 1)) - begin;
    const double part = (static_cast<double>(rank - before) - 0.5) / static_cast<double>(count_of(number));
    return std::clamp(static_cast<std::uint64_t>(begin + part * width), shortest_, longest_);
}

} // namespace vftr::analysis
