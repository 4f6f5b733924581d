// SPDX-License-Identifier: BSD-3-Clause
#include "compare/statistics.hpp"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace vftr::compare {
namespace {

using boost::math::complement;
using boost::math::normal;
using boost::math::students_t;

constexpr std::size_t MostForExact = 50;
constexpr std::size_t RunsPerTrimmed = 5; // one run of so many is cut off at each end

double square(double value) { return value * value; }

// By value of Mann and Whitney's U: how many of the orders of `base` and `next` values have it. The recurrence goes by
// whether the largest value is one of the base or of the new side.
std::vector<double> orders_by_u(std::size_t base, std::size_t next) {
    const std::size_t most = base * next;
    std::vector<std::vector<double>> counts(next + 1, std::vector<double>(most + 1));
    for (std::vector<double>& of_none : counts)
        of_none[0] = 1;
    for (std::size_t a = 1; a <= base; ++a)
        for (std::size_t b = 1; b <= next; ++b) // counts[b] is of a - 1 values of the base, counts[b - 1] of a
            for (std::size_t u = most + 1; u-- > 0;)
                counts[b][u] = (u >= b ? counts[b][u - b] : 0) + counts[b - 1][u];
    return counts[next];
}

double total_orders(std::size_t base, std::size_t next) {
    return std::exp(std::lgamma(static_cast<double>(base + next + 1)) - std::lgamma(static_cast<double>(base + 1)) -
                    std::lgamma(static_cast<double>(next + 1)));
}

} // namespace

TrimmedMean trimmed_mean(std::span<const double> values, std::size_t cut) {
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    const std::size_t kept = sorted.size() - 2 * cut;
    const auto first = sorted.begin() + static_cast<std::ptrdiff_t>(cut);
    const double mean =
        std::accumulate(first, first + static_cast<std::ptrdiff_t>(kept), 0.0) / static_cast<double>(kept);
    if (sorted.size() < 2)
        return {mean, 0, 0};
    // Yuen's error: what is cut off counts as the nearest value that is not.
    for (std::size_t i = 0; i < cut; ++i) {
        sorted[i] = sorted[cut];
        sorted[sorted.size() - 1 - i] = sorted[sorted.size() - 1 - cut];
    }
    const auto count = static_cast<double>(sorted.size()), left = static_cast<double>(kept);
    const double winsorised = std::accumulate(sorted.begin(), sorted.end(), 0.0) / count;
    double squares = 0;
    for (const double value : sorted)
        squares += square(value - winsorised);
    return {mean, std::sqrt(squares / (left * (left - 1))), left - 1};
}

Estimate mean_of(std::span<const double> values) {
    const TrimmedMean mean = trimmed_mean(values, values.size() / RunsPerTrimmed);
    return {mean.value, mean.value > 0 ? mean.error / mean.value : 0, mean.freedom};
}

RatioInterval ratio_of_logarithm(double logarithm, double error, double freedom) {
    RatioInterval interval;
    interval.ratio = std::exp(logarithm);
    if (error == 0) {
        interval.low = interval.high = interval.ratio;
        interval.p = logarithm == 0 ? 1 : 0;
        return interval;
    }
    const students_t distribution(freedom);
    const double half = quantile(complement(distribution, (1 - Confidence) / 2)) * error;
    interval.low = std::exp(logarithm - half);
    interval.high = std::exp(logarithm + half);
    interval.p = 2 * cdf(complement(distribution, std::abs(logarithm) / error));
    return interval;
}

RatioInterval ratio_of(const Estimate& base, const Estimate& next, double pooled_freedom) {
    const double of_base = square(base.error), of_next = square(next.error), sum = of_base + of_next;
    const double freedom = pooled_freedom > 0
                               ? pooled_freedom
                               : square(sum) / (square(of_base) / base.freedom + square(of_next) / next.freedom);
    return ratio_of_logarithm(std::log(next.value / base.value), std::sqrt(sum), freedom);
}

RatioInterval widened(const RatioInterval& interval, double systematic) {
    constexpr double Most = 100; // a factor of 10^43 says that nothing is known, and is a number still
    const double half = std::min(std::hypot(std::log(interval.high / interval.ratio), systematic), Most);
    RatioInterval result = interval;
    result.low = interval.ratio * std::exp(-half);
    result.high = interval.ratio * std::exp(half);
    return result;
}

double rank_test(std::span<const double> base, std::span<const double> next) {
    const auto n = static_cast<double>(base.size()), m = static_cast<double>(next.size());
    double u = 0; // pairs in which the base is larger; equal ones count half
    for (const double a : base)
        for (const double b : next)
            u += a > b ? 1 : a == b ? 0.5 : 0;
    std::vector<double> all(base.begin(), base.end());
    all.insert(all.end(), next.begin(), next.end());
    std::ranges::sort(all);
    double ties = 0;
    for (auto at = all.begin(); at != all.end();) {
        const auto end = std::upper_bound(at, all.end(), *at);
        const auto equal = static_cast<double>(end - at);
        ties += equal * (square(equal) - 1);
        at = end;
    }
    const double lower = std::min(u, n * m - u);
    if (ties == 0 && base.size() <= MostForExact && next.size() <= MostForExact) {
        const std::vector<double> orders = orders_by_u(base.size(), next.size());
        const double extreme =
            std::accumulate(orders.begin(), orders.begin() + static_cast<std::ptrdiff_t>(lower) + 1, 0.0);
        return std::min(1.0, 2 * extreme / total_orders(base.size(), next.size()));
    }
    const double variance = n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1)));
    if (variance <= 0)
        return 1;
    const double distance = std::max(0.0, n * m / 2 - lower - 0.5); // 0.5: for continuity
    return 2 * cdf(complement(normal(), distance / std::sqrt(variance)));
}

std::vector<bool> holm(std::span<const double> p, double level) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return p[i]; });
    std::vector<bool> significant(p.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (p[order[i]] * static_cast<double>(order.size() - i) > level)
            break;
        significant[order[i]] = true;
    }
    return significant;
}

double expected_range(std::size_t count) {
    const auto number = static_cast<double>(count);
    return 2 * quantile(normal(), (number - 0.375) / (number + 0.25));
}

double two_sided_quantile() { return quantile(complement(normal(), (1 - Confidence) / 2)); }

} // namespace vftr::compare
