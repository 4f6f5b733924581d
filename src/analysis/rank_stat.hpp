// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace vftr::analysis {

// A number over the ranks of a Profile, mostly a time in nanoseconds.
struct RankStat {
    std::uint64_t sum = 0, min = 0, max = 0;
    std::int32_t min_rank = 0, max_rank = 0; // the lowest rank that has the value
};

// Of one rank alone.
constexpr RankStat of_one_rank(std::uint64_t value, std::int32_t rank) { return {value, value, value, rank, rank}; }

} // namespace vftr::analysis
