// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace vftr::analysis {

// The smallest and the largest value of a single rank.
struct Extremes {
    std::uint64_t min = 0, max = 0;
    std::int32_t min_rank = 0, max_rank = 0; // the lowest rank with that value
};

// Statistics of a number (mostly a time in nanoseconds) over the ranks of a Profile.
struct RankStat : Extremes {
    std::uint64_t sum = 0;

    constexpr RankStat() = default;
    constexpr RankStat(std::uint64_t sum, const Extremes& extremes) : Extremes(extremes), sum(sum) {}
};

// The statistics of one rank alone.
constexpr RankStat of_one_rank(std::uint64_t value, std::int32_t rank) { return {value, {value, value, rank, rank}}; }

} // namespace vftr::analysis
