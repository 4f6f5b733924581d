// SPDX-License-Identifier: BSD-3-Clause
//
// Adds and subtracts what two profiles have counted of one call path. PathNode::ranks is left to the caller.
#pragma once

#include "analysis/profile/profile.hpp"

#include <algorithm>
#include <cstdint>

namespace vftr::analysis {

// All that adds up, but for the variance.
inline constexpr std::uint64_t PathNode::*PathSums[] = {
    &PathNode::calls,         &PathNode::exclusive,     &PathNode::inclusive, &PathNode::overhead,
    &PathNode::raw_exclusive, &PathNode::raw_inclusive, &PathNode::estimated, &PathNode::unseen,
    &PathNode::unseen_error,  &PathNode::unknown};

inline void add_counts(PathNode& into, const PathNode& from) {
    into.kind = std::min(into.kind, from.kind);
    into.precise |= from.precise;
    into.excluded |= from.excluded;
    for (const auto sum : PathSums)
        into.*sum += from.*sum;
    into.variance = add_variances(into.variance, from.variance);
    into.threads += from.threads;
    into.longest_thread = std::max(into.longest_thread, from.longest_thread);
}

// Takes away what the same process had counted before. Estimates may have become smaller since.
inline void subtract_counts(PathNode& from, const PathNode& before) {
    for (const auto sum : PathSums)
        from.*sum -= std::min(from.*sum, before.*sum);
    from.variance -= std::min(from.variance, before.variance);
    from.threads -= std::min(from.threads, before.threads);
}

} // namespace vftr::analysis
