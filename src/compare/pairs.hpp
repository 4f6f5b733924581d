// SPDX-License-Identifier: BSD-3-Clause
//
// The statistics of runs that were made in pairs, one of each side directly after the other. Both runs of a pair meet
// the machine in about the same state, so that their ratio varies much less than the times do where its speed changes
// from minute to minute. README.md says where the methods come from.
//
// Both sides have the same number of values, two at least, all above 0; those of the same index are a pair.
#pragma once

#include "compare/sides.hpp"
#include "compare/statistics.hpp"

#include <cstddef>
#include <span>

namespace vftr::compare {

// The ratio is the geometric mean of those of the pairs, with Student's interval. From ten pairs on some with the
// lowest ratios and as many with the highest are left out: one of ten, two of 15, and so on. More of them, such as the
// fifth that mean_of() leaves out, would leave too few to know their scatter.
RatioInterval ratio_of_pairs(std::span<const double> base, std::span<const double> next);

// The means of both sides over the pairs that ratio_of_pairs() takes.
PerSide<double> means_of_pairs(std::span<const double> base, std::span<const double> next);

// Two-sided p-value of the sign test: of how many pairs new is the slower one. Pairs of equal values say nothing and
// are left out.
double sign_test(std::span<const double> base, std::span<const double> next);

// From so many pairs on the smallest p-value of that test is below 5 %.
inline constexpr std::size_t PairsForSigns = 6;

} // namespace vftr::compare
