// SPDX-License-Identifier: BSD-3-Clause
#include "compare/statistics.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

using namespace vftr::compare;

TEST_CASE("the ratio of two means has Welch's interval", "[compare]") {
    // The p-value is that of a numerical integration of Student's density, with 5.48 degrees of freedom.
    const std::vector<double> a{27.5, 21.0, 19.0, 23.6}, b{27.1, 22.0, 20.8, 23.4};
    const Estimate base = mean_of(a), next = mean_of(b);
    CHECK(base.value == Approx(22.775));
    CHECK(base.freedom == 3);
    CHECK(base.error * base.value == Approx(1.835018).epsilon(1e-5));
    const RatioInterval interval = ratio_of(base, next);
    CHECK(interval.ratio == Approx(1.024149).epsilon(1e-5));
    CHECK(interval.low < 1);
    CHECK(interval.high > 1);
    CHECK(interval.p == Approx(0.819371).epsilon(1e-5));
    SECTION("it contains 1 exactly where p is 5 % or more") {
        for (double value = 0.9; value < 1.2; value += 0.001) {
            const RatioInterval other = ratio_of({1, 0.03, 4}, {value, 0.02, 7});
            CHECK((other.low <= 1 && other.high >= 1) == (other.p >= 0.05));
        }
    }
    SECTION("both directions are alike") { CHECK(ratio_of(next, base).p == Approx(interval.p)); }
}

TEST_CASE("the mean of many runs is without the lowest and highest fifth", "[compare]") {
    const Estimate mean = mean_of(std::vector<double>{27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 20, 21, 99, 22});
    CHECK(mean.value == Approx(21.1)); // of 19, 20, 21, 21, 22 and 23.6
    CHECK(mean.freedom == 5);
    CHECK(mean.error * mean.value == Approx(1.063892).epsilon(1e-5)); // Yuen's formula, by hand
    CHECK(mean_of(std::vector<double>{1, 1, 1, 1, 100}).value == 1);
    CHECK(mean_of(std::vector<double>{1, 1, 1, 100}).value == Approx(25.75));
    CHECK(mean_of(std::vector<double>{7}).value == 7);
}

TEST_CASE("errors that are known exactly have the normal distribution", "[compare]") {
    const RatioInterval interval = ratio_of({1, 0.03}, {1, 0.04});
    CHECK(std::log(interval.high) == Approx(1.959964 * 0.05).epsilon(1e-6));
    CHECK(ratio_of({1, 0}, {1, 0}).p == 1);
    CHECK(ratio_of({1, 0}, {2, 0}).p == 0);
}

TEST_CASE("a systematic error widens an interval and moves it nowhere", "[compare]") {
    const RatioInterval interval = ratio_of({1, 0.03}, {1.1, 0.04});
    CHECK(widened(interval, 0).high == Approx(interval.high));
    const RatioInterval wide = widened(interval, 0.1);
    CHECK(wide.ratio == interval.ratio);
    CHECK(std::log(wide.high / wide.ratio) == Approx(std::hypot(std::log(interval.high / interval.ratio), 0.1)));
    CHECK(wide.low < interval.low);
}

TEST_CASE("the rank test has the p-values of its tables", "[compare]") {
    const std::vector<double> low{1, 2, 3, 4}, high{5, 6, 7, 8};
    CHECK(rank_test(low, high) == Approx(2.0 / 70));
    CHECK(rank_test(high, low) == Approx(2.0 / 70));
    // Critical value of U for 5 and 5 values at 5 %, two-sided: 2.
    CHECK(rank_test(std::vector<double>{1, 2, 3, 4, 8}, std::vector<double>{5, 6, 7, 9, 10}) > 0.05); // U = 3
    CHECK(rank_test(std::vector<double>{1, 2, 3, 4, 7}, std::vector<double>{5, 6, 8, 9, 10}) < 0.05); // U = 2
    CHECK(rank_test(low, low) == 1);
    SECTION("how far a value is out makes no difference") {
        CHECK(rank_test(low, std::vector<double>{5, 6, 7, 800}) == rank_test(low, high));
    }
    SECTION("ties and many values go by the normal approximation") {
        std::vector<double> a, b;
        for (int i = 0; i < 40; ++i) {
            a.push_back(i);
            b.push_back(i + 10.5);
        }
        const double exact = rank_test(a, b);
        b.front() = a[10]; // one tie
        CHECK(rank_test(a, b) == Approx(exact).epsilon(0.4));
        CHECK(rank_test(std::vector<double>{1, 1}, std::vector<double>{1, 1}) == 1);
    }
}

TEST_CASE("Holm's correction asks the smallest p-value most", "[compare]") {
    using Significant = std::vector<bool>;
    CHECK(holm(std::vector<double>{0.01, 0.04, 0.03}, 0.05) == Significant{true, false, false});
    CHECK(holm(std::vector<double>{0.01, 0.02, 0.025}, 0.05) == Significant{true, true, true});
    CHECK(holm(std::vector<double>{0.02, 0.02, 0.02}, 0.05) == Significant{false, false, false});
    CHECK(holm({}, 0.05).empty());
}

TEST_CASE("the expected range of normal numbers is that of quality control", "[compare]") {
    CHECK(expected_range(2) == Approx(1.128).epsilon(0.05)); // d2 of control charts
    CHECK(expected_range(5) == Approx(2.326).epsilon(0.03));
    CHECK(expected_range(20) == Approx(3.735).epsilon(0.02));
}

TEST_CASE("an interval of which nothing is known has ends that are numbers", "[compare]") {
    const RatioInterval known = ratio_of({1, 0.1}, {2, 0.1});
    const RatioInterval unknown = widened(known, 1e6);
    CHECK(unknown.low > 0);
    CHECK(std::isfinite(unknown.high));
    CHECK(unknown.high / unknown.ratio > 1e40);
}
