// SPDX-License-Identifier: BSD-3-Clause
#include "compare/pairs.hpp"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace vftr::compare {
namespace {

constexpr std::size_t PairsPerTrimmed = 5; // of those beyond the first five, one of so many is cut off at each end

std::size_t pairs_trimmed_at_each_end(std::size_t pairs) {
    return pairs < PairsPerTrimmed ? 0 : pairs / PairsPerTrimmed - 1;
}

std::vector<double> log_ratios(std::span<const double> base, std::span<const double> next) {
    std::vector<double> ratios;
    for (std::size_t pair = 0; pair < base.size(); ++pair)
        ratios.push_back(std::log(next[pair] / base[pair]));
    return ratios;
}

// Indices, by ascending value.
std::vector<std::size_t> order_of(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
    return order;
}

} // namespace

RatioInterval ratio_of_pairs(std::span<const double> base, std::span<const double> next) {
    const TrimmedMean mean = trimmed_mean(log_ratios(base, next), pairs_trimmed_at_each_end(base.size()));
    return ratio_of_logarithm(mean.value, mean.error, mean.freedom);
}

PerSide<double> means_of_pairs(std::span<const double> base, std::span<const double> next) {
    const std::vector<std::size_t> order = order_of(log_ratios(base, next));
    const std::size_t cut = pairs_trimmed_at_each_end(order.size());
    PerSide<double> means{};
    for (std::size_t i = cut; i < order.size() - cut; ++i) {
        means[Base] += base[order[i]];
        means[New] += next[order[i]];
    }
    for (double& mean : means)
        mean /= static_cast<double>(order.size() - 2 * cut);
    return means;
}

double sign_test(std::span<const double> base, std::span<const double> next) {
    std::size_t slower = 0, faster = 0;
    for (std::size_t pair = 0; pair < base.size(); ++pair) {
        slower += next[pair] > base[pair];
        faster += next[pair] < base[pair];
    }
    if (slower == faster)
        return 1;
    const boost::math::binomial of_either(static_cast<double>(slower + faster), 0.5);
    return std::min(1.0, 2 * cdf(of_either, static_cast<double>(std::min(slower, faster))));
}

} // namespace vftr::compare
