// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace vftr::analysis {

// The least and the most of a rank.
struct Extremes {
    std::uint64_t min = 0, max = 0;
    std::int32_t min_rank = 0, max_rank = 0; // the lowest rank that has the value
};

// A number over the ranks of a Profile, mostly a time in nanoseconds.
struct RankStat : Extremes {
    std::uint64_t sum = 0;

    constexpr RankStat() = default;
    constexpr RankStat(std::uint64_t sum, const Extremes& extremes) : Extremes(extremes), sum(sum) {}
};

// Of one rank alone.
constexpr RankStat of_one_rank(std::uint64_t value, std::int32_t rank) { return {value, {value, value, rank, rank}}; }

} // namespace vftr::analysis
