// SPDX-License-Identifier: BSD-3-Clause
#include "compare/pairs.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

using namespace vftr::compare;

namespace {

// The p-value of the signed-rank test by its definition: of all signs that the differences could have.
double by_all_signs(const std::vector<double>& ranks, double positive) {
    double all = 0, sum = 0;
    for (const double rank : ranks)
        all += rank;
    const double least = std::min(positive, all - positive);
    const std::size_t orders = std::size_t{1} << ranks.size();
    for (std::size_t signs = 0; signs < orders; ++signs) {
        double of_positive = 0;
        for (std::size_t i = 0; i < ranks.size(); ++i)
            of_positive += signs >> i & 1 ? ranks[i] : 0;
        sum += of_positive <= least;
    }
    return std::min(1.0, 2 * sum / static_cast<double>(orders));
}

std::vector<double> times(const std::vector<double>& values, double factor) {
    std::vector<double> result;
    for (const double value : values)
        result.push_back(factor * value);
    return result;
}

} // namespace

TEST_CASE("the ratio of pairs is that of each pair, however much pairs differ", "[compare]") {
    const std::vector<double> base{1, 1.7, 1, 1.7};
    const RatioInterval exact = ratio_of_pairs(base, times(base, 1.25));
    CHECK(exact.ratio == Approx(1.25));
    CHECK(exact.low == Approx(1.25));
    CHECK(exact.high == Approx(1.25));
    // Student's interval of the logarithms: their mean is 0.05, the standard error 0.02 / sqrt(4), and 3.182446 the
    // quantile of 3 degrees of freedom.
    const double a = 0.05 - 0.02 * std::sqrt(0.75), b = 0.05 + 0.02 * std::sqrt(0.75);
    const RatioInterval interval =
        ratio_of_pairs(base, std::vector<double>{std::exp(a), 1.7 * std::exp(b), std::exp(b), 1.7 * std::exp(a)});
    CHECK(std::log(interval.ratio) == Approx(0.05));
    CHECK(std::log(interval.high) == Approx(0.05 + 3.182446 * 0.01).epsilon(1e-6));
    CHECK(std::log(interval.low) == Approx(0.05 - 3.182446 * 0.01).epsilon(1e-6));
    CHECK(interval.p == Approx(0.015392).epsilon(1e-4)); // 5 standard errors
}

TEST_CASE("of ten pairs those with the lowest and the highest ratio do not count", "[compare]") {
    std::vector<double> base{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, next = times(base, 1.1);
    next[3] = 400;
    next[4] = 0.05;
    CHECK(ratio_of_pairs(base, next).ratio == Approx(1.1));
    const PerSide<double> means = means_of_pairs(base, next);
    CHECK(means[Base] == Approx(46 / 8.0));
    CHECK(means[New] == Approx(1.1 * 46 / 8));
    base.pop_back();
    next.pop_back();
    CHECK(means_of_pairs(base, next)[Base] == Approx(5));
    CHECK(means_of_pairs(std::vector<double>{1, 2}, std::vector<double>{3, 6})[New] == Approx(4.5));
}

TEST_CASE("the signed-rank test has the p-values of its tables", "[compare]") {
    const std::vector<double> ones(10, 1.0);
    CHECK(signed_rank_test(std::vector<double>(5, 1.0), std::vector<double>{2, 3, 4, 5, 6}) == Approx(2.0 / 32));
    CHECK(signed_rank_test(std::vector<double>(PairsForRanks, 1.0), std::vector<double>{2, 3, 4, 5, 6, 7}) ==
          Approx(2.0 / 64));
    // A sum of ranks of 8 of ten pairs is the largest one that is significant at 5 %: here those of rank 1, 2 and 5.
    const std::vector<double> of_rank_sum_8{1 / 1.1, 1 / 1.2, 1.3, 1.4, 1 / 1.5, 1.6, 1.7, 1.8, 1.9, 2.0};
    CHECK(signed_rank_test(ones, of_rank_sum_8) == Approx(2.0 * 25 / 1024));
    CHECK(signed_rank_test(of_rank_sum_8, ones) == Approx(2.0 * 25 / 1024));
    CHECK(signed_rank_test(ones, ones) == 1);
}

TEST_CASE("equal differences share their ranks, and none says nothing", "[compare]") {
    const std::vector<double> base{1, 1, 1, 1, 1, 1, 1}, next{2, 2, 0.5, 4, 8, 8, 1};
    const std::vector<double> ranks{2, 2, 2, 4, 5.5, 5.5};
    CHECK(signed_rank_test(base, next) == Approx(by_all_signs(ranks, 19)));
}

TEST_CASE("the signed-rank test of many pairs is nearly that of its definition", "[compare]") {
    std::vector<double> base, next;
    for (int i = 1; i <= 51; ++i) {
        base.push_back(1);
        next.push_back(std::exp(i % 3 == 0 ? -0.01 * i : 0.01 * i));
    }
    // From the number of all orders of 51 signs, with a program of another language.
    CHECK(signed_rank_test(base, next) == Approx(0.055980).epsilon(0.01));
}
