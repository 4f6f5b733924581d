// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/profile/duration_histogram.hpp"

#include <algorithm>
#include <cmath>

namespace vftr::analysis {

void DurationHistogram::add(std::uint64_t ns, std::uint64_t calls) {
    const auto number = static_cast<std::uint32_t>(DurationClasses::of(ns));
    if (counts_.empty())
        first_ = number;
    if (number < first_) {
        counts_.insert(counts_.begin(), first_ - number, 0);
        first_ = number;
    } else if (number >= end_class()) {
        counts_.resize(number - first_ + 1);
    }
    counts_[number - first_] += calls;
    shortest_ = count_ == 0 ? ns : std::min(shortest_, ns);
    longest_ = std::max(longest_, ns);
    sum_ += ns * calls;
    count_ += calls;
}

void DurationHistogram::add(const DurationHistogram& other) {
    if (other.count_ == 0)
        return;
    if (count_ == 0) {
        *this = other;
        return;
    }
    const std::uint32_t first = std::min(first_, other.first_);
    counts_.insert(counts_.begin(), first_ - first, 0);
    first_ = first;
    counts_.resize(std::max(end_class(), other.end_class()) - first);
    for (std::size_t number = other.first_; number < other.end_class(); ++number)
        counts_[number - first] += other.count_of(number);
    widen(other.shortest_, other.longest_);
    sum_ += other.sum_;
    count_ += other.count_;
}

void DurationHistogram::widen(std::uint64_t shortest, std::uint64_t longest) {
    shortest_ = std::min(shortest_, shortest);
    longest_ = std::max(longest_, longest);
}

bool DurationHistogram::complete() {
    if (first_ > DurationClasses::Count || counts_.size() > DurationClasses::Count - first_)
        return false;
    count_ = 0;
    for (const std::uint64_t calls : counts_)
        count_ += calls;
    return count_ != 0;
}

const DurationHistogram* durations_of(const std::vector<PathDurations>& all, std::uint32_t node) {
    const auto found = std::ranges::lower_bound(all, node, {}, &PathDurations::node);
    return found != all.end() && found->node == node ? &found->histogram : nullptr;
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
