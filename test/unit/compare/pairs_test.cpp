// SPDX-License-Identifier: BSD-3-Clause
#include "compare/pairs.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

using namespace vftr::compare;

namespace {

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

TEST_CASE("the sign test has the p-values of tossed coins", "[compare]") {
    const std::vector<double> ones(10, 1.0);
    CHECK(sign_test(std::vector<double>(5, 1.0), std::vector<double>{2, 3, 4, 5, 6}) == Approx(2.0 / 32));
    CHECK(sign_test(std::vector<double>(PairsForSigns, 1.0), std::vector<double>{2, 3, 4, 5, 6, 7}) ==
          Approx(2.0 / 64));
    const std::vector<double> one_of_ten_faster{2, 2, 2, 2, 0.001, 2, 2, 2, 2, 2};
    CHECK(sign_test(ones, one_of_ten_faster) == Approx(2.0 * (1 + 10) / 1024));
    CHECK(sign_test(one_of_ten_faster, ones) == Approx(2.0 * (1 + 10) / 1024));
    CHECK(sign_test(ones, std::vector<double>{2, 2, 2, 2, 0.5, 2, 2, 2, 2, 0.5}) == Approx(2.0 * (1 + 10 + 45) / 1024));
    SECTION("pairs of equal values say nothing") {
        CHECK(sign_test(ones, std::vector<double>{1, 1, 1, 1, 1, 1, 1, 2, 2, 2}) == Approx(2.0 / 8));
        CHECK(sign_test(ones, ones) == 1);
    }
    SECTION("as many of both are no difference") {
        CHECK(sign_test(ones, std::vector<double>{2, 2, 2, 2, 2, 0.5, 0.5, 0.5, 0.5, 0.5}) == 1);
    }
}
