// SPDX-License-Identifier: BSD-3-Clause
//
// The statistics of a comparison; README.md says which is for what, and where they come from. Errors are relative
// standard deviations: a difference of logarithms has a joint one.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace vftr::compare {

inline constexpr double Confidence = 0.95;

// A mean of one side with its error, as it is known from some number of degrees of freedom.
struct Estimate {
    double value = 0;                                         // above 0
    double error = 0;                                         // of the value, relative to it
    double freedom = std::numeric_limits<double>::infinity(); // of the error
};

struct RatioInterval {
    double ratio = 1, low = 1, high = 1; // new over base, and its 95 % interval
    double p = 1;                        // the chance of such a difference, or a larger one, by chance alone
};

// The mean of values without the `cut` lowest and the `cut` highest of them, and its error by Yuen's formula; with a
// cut of 0 that is the plain mean with its standard error. Of one value the error is not known, and 0.
struct TrimmedMean {
    double value = 0, error = 0; // the error is a standard deviation, not relative
    double freedom = 0;          // of the error
};
TrimmedMean trimmed_mean(std::span<const double> values, std::size_t cut);

// The same of the times of runs, where a fifth of them, rounded down, is cut off at each end.
Estimate mean_of(std::span<const double> values);

// The ratio whose logarithm has this error, which is known from some degrees of freedom.
RatioInterval ratio_of_logarithm(double logarithm, double error, double freedom);

// The ratio of two estimates by Welch's t interval on relative errors. With the same `pooled` freedom for both where
// one error was taken from the other side; 0: it is found by Satterthwaite's formula.
RatioInterval ratio_of(const Estimate& base, const Estimate& next, double pooled_freedom = 0);

// The interval widened by an error of the ratio that no number of runs makes smaller: half the width of its 95 %
// interval, relative.
RatioInterval widened(const RatioInterval& interval, double systematic);

// Two-sided p-value of the rank test of Mann and Whitney: exact up to 50 values a side that all differ, else by the
// normal approximation with its correction for ties.
double rank_test(std::span<const double> base, std::span<const double> next);

// By p-value: whether it is significant at `level` after Holm's correction for their number.
std::vector<bool> holm(std::span<const double> p, double level);

// The mean distance between the smallest and the largest of `count` normal numbers, in standard deviations (Blom's
// approximation). At least two.
double expected_range(std::size_t count);

// What half the width of a 95 % interval is in standard deviations.
double two_sided_quantile();

} // namespace vftr::compare
