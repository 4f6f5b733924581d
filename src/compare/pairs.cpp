// SPDX-License-Identifier: BSD-3-Clause
#include "compare/pairs.hpp"

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace vftr::compare {
namespace {

constexpr std::size_t MostPairsForExact = 50;
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

// Ranks from 1 on, twice, so that the mean rank of equal values is an integer, too.
std::vector<std::size_t> doubled_ranks(const std::vector<double>& values) {
    const std::vector<std::size_t> order = order_of(values);
    std::vector<std::size_t> ranks(values.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t end = first;
        while (end < order.size() && values[order[end]] == values[order[first]])
            ++end;
        for (std::size_t i = first; i < end; ++i)
            ranks[order[i]] = first + 1 + end; // twice the mean of first + 1 … end
        first = end;
    }
    return ranks;
}

// How likely it is that the ranks of those of positive sign have a sum of at most `least`, where each has either sign
// with the same probability.
double chance_of_sum(const std::vector<std::size_t>& ranks, std::size_t least) {
    std::vector<double> chances(least + 1); // by sum
    chances[0] = 1;
    for (const std::size_t rank : ranks)
        for (std::size_t sum = least + 1; sum-- > 0;)
            chances[sum] = (chances[sum] + (sum >= rank ? chances[sum - rank] : 0)) / 2;
    return std::accumulate(chances.begin(), chances.end(), 0.0);
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

double signed_rank_test(std::span<const double> base, std::span<const double> next) {
    std::vector<double> ratios = log_ratios(base, next), sizes;
    std::erase(ratios, 0.0);
    for (const double ratio : ratios)
        sizes.push_back(std::abs(ratio));
    const std::vector<std::size_t> ranks = doubled_ranks(sizes);
    std::size_t positive = 0, all = 0;
    double variance = 0;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        all += ranks[i];
        positive += ratios[i] > 0 ? ranks[i] : 0;
        variance += static_cast<double>(ranks[i] * ranks[i]) / 4;
    }
    const std::size_t least = std::min(positive, all - positive);
    if (ranks.size() <= MostPairsForExact)
        return std::min(1.0, 2 * chance_of_sum(ranks, least));
    constexpr double Continuity = 1; // half a rank
    const double distance =
        std::max(0.0, static_cast<double>(all) / 2 - static_cast<double>(least) - Continuity) / std::sqrt(variance);
    return 2 * cdf(complement(boost::math::normal(), distance));
}

} // namespace vftr::compare
