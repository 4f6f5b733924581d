// SPDX-License-Identifier: BSD-3-Clause
//
// Made-up runs whose times scatter as those of programs do, with fixed seeds.
#include "compared.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace vftr;
using compare::Verdict;
using test::Compared;

namespace {

constexpr int Functions = 20;
constexpr double Disturbances = 0.05; // how many of the times

// How times scatter. The distributions of the library differ from one to the next, its engine does not.
class Noise {
public:
    enum class Kind { Normal, Disturbed };
    Noise(std::uint32_t seed, Kind kind, double size) : engine_(seed), kind_(kind), size_(size) {}

    // A factor near 1.
    double next() {
        double factor = std::exp(size_ * normal());
        if (kind_ == Kind::Disturbed && uniform() < Disturbances)
            factor *= 1 + 0.3 * uniform(); // somebody else needed the core
        return factor;
    }
    double uniform() { return static_cast<double>(engine_() >> 8) / 16777216.0; }

private:
    double normal() { // Box and Muller
        return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(6.283185307179586 * uniform());
    }
    std::mt19937 engine_;
    Kind kind_;
    double size_;
};

// Functions from 1 to 190 ms; each run as a whole is faster or slower as well.
std::vector<analysis::Profile> simulated(int runs, Noise& noise, double slower = 1) {
    std::vector<analysis::Profile> all;
    for (int run = 0; run < runs; ++run) {
        analysis::Profile profile = test::one_rank(0);
        const double whole = noise.next();
        for (int f = 0; f < Functions; ++f) {
            const double ms = (1 + 10.0 * f) * whole * noise.next() * (f == 10 ? slower : 1);
            const auto ns = static_cast<std::uint64_t>(ms * static_cast<double>(test::Ms));
            test::add(profile, "f" + std::to_string(f) + "<main<init", 100, ns, ns);
            profile.summary.times.sum.runtime += ns;
        }
        all.push_back(std::move(profile));
    }
    return all;
}

// In how many of the trials there is a row of this verdict, or any of another direction.
int trials_with_findings(int trials, int runs, Noise::Kind kind, double size) {
    int found = 0;
    for (int trial = 0; trial < trials; ++trial) {
        Noise noise(static_cast<std::uint32_t>(1000 + trial), kind, size);
        const std::vector<analysis::Profile> base = simulated(runs, noise), next = simulated(runs, noise);
        const Compared both(base, next);
        found += both.comparison.count(Verdict::Slower) + both.comparison.count(Verdict::Faster) != 0;
    }
    return found;
}

} // namespace

TEST_CASE("of 1000 comparisons of a program with itself at most 5 % find anything", "[compare]") {
    const auto kind = GENERATE(Noise::Kind::Normal, Noise::Kind::Disturbed);
    const int runs = GENERATE(1, 2, 3, 4, 5, 10);
    CAPTURE(static_cast<int>(kind), runs);
    const int found = trials_with_findings(1000, runs, kind, 0.02);
    CHECK(found <= 50);
}

TEST_CASE("ten runs a side find a function that is 5 % slower in 95 % of all trials, and no other", "[compare]") {
    const auto kind = GENERATE(Noise::Kind::Normal, Noise::Kind::Disturbed);
    int found = 0, others = 0;
    constexpr int Trials = 200;
    for (int trial = 0; trial < Trials; ++trial) {
        Noise noise(static_cast<std::uint32_t>(trial), kind, 0.01);
        const std::vector<analysis::Profile> base = simulated(10, noise), next = simulated(10, noise, 1.05);
        const Compared both(base, next);
        const bool its = both.row("f10").verdict == Verdict::Slower;
        found += its;
        others += both.comparison.count(Verdict::Slower) + both.comparison.count(Verdict::Faster) > (its ? 1u : 0u);
    }
    CAPTURE(static_cast<int>(kind), others);
    // Where a tenth of a function's times is disturbed, three of ten runs often are.
    CHECK(found >= (kind == Noise::Kind::Normal ? 95 : 80) * Trials / 100);
    CHECK(others <= 5 * Trials / 100);
}
