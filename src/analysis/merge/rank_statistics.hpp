// SPDX-License-Identifier: BSD-3-Clause
//
// The statistics over ranks of two profiles that cover different ranks.
#pragma once

#include "analysis/profile/profile.hpp"

#include <cstdint>

namespace vftr::analysis {

inline PathExtremes absent_path(std::int32_t first_rank) {
    const Extremes none = of_one_rank(0, first_rank);
    return {none, none};
}

inline Extremes of_both(const Extremes& a, const Extremes& b) {
    Extremes both = a;
    if (b.min < a.min || (b.min == a.min && b.min_rank < a.min_rank)) {
        both.min = b.min;
        both.min_rank = b.min_rank;
    }
    if (b.max > a.max || (b.max == a.max && b.max_rank < a.max_rank)) {
        both.max = b.max;
        both.max_rank = b.max_rank;
    }
    return both;
}

inline RankStat over_ranks(const RankStat& a, const RankStat& b) { return {a.sum + b.sum, of_both(a, b)}; }

inline PathExtremes of_both(const PathExtremes& a, const PathExtremes& b) {
    return {of_both(a.exclusive, b.exclusive), of_both(a.inclusive, b.inclusive)};
}

} // namespace vftr::analysis
