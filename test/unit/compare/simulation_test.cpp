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

// Functions from 1 to 190 ms; the run as a whole is faster or slower as well.
analysis::Profile simulated_run(Noise& noise, double machine, double slower) {
    analysis::Profile profile = test::one_rank(0);
    const double whole = machine * noise.next();
    for (int f = 0; f < Functions; ++f) {
        const double ms = (1 + 10.0 * f) * whole * noise.next() * (f == 10 ? slower : 1);
        const auto ns = static_cast<std::uint64_t>(ms * static_cast<double>(test::Ms));
        test::add(profile, "f" + std::to_string(f) + "<main<init", 100, ns, ns);
        profile.summary.times.sum.runtime += ns;
    }
    return profile;
}

std::vector<analysis::Profile> simulated(int runs, Noise& noise, double slower = 1) {
    std::vector<analysis::Profile> all;
    for (int run = 0; run < runs; ++run)
        all.push_back(simulated_run(noise, 1, slower));
    return all;
}

// In the order A B B A …, on a machine that is by 1.7 slower in half of the pairs; in `cut` of them that changes
// between the two runs.
compare::Runs simulated_pairs(int pairs, Noise& noise, double cut, double slower = 1) {
    constexpr double Fast = 1, Slow = 1.7;
    compare::Runs runs;
    for (int pair = 0; pair < pairs; ++pair) {
        double machine = noise.uniform() < 0.5 ? Fast : Slow;
        const std::size_t first = pair % 2 == 0 ? compare::Base : compare::New;
        for (const std::size_t side : {first, 1 - first}) {
            runs[side].push_back(simulated_run(noise, machine, side == compare::New ? slower : 1));
            if (side == first && noise.uniform() < cut)
                machine = Fast + Slow - machine;
        }
    }
    return runs;
}
Compared compared(const compare::Runs& runs, bool paired) {
    compare::Judging judging;
    judging.paired = paired;
    return Compared(runs[compare::Base], runs[compare::New], false, {}, judging);
}
std::size_t findings(const Compared& both) {
    return both.comparison.count(Verdict::Slower) + both.comparison.count(Verdict::Faster);
}

// In how many of the trials there is a row of this verdict, or any of another direction.
int trials_with_findings(int trials, int runs, Noise::Kind kind, double size) {
    int found = 0;
    for (int trial = 0; trial < trials; ++trial) {
        Noise noise(static_cast<std::uint32_t>(1000 + trial), kind, size);
        const std::vector<analysis::Profile> base = simulated(runs, noise), next = simulated(runs, noise);
        found += findings(Compared(base, next)) != 0;
    }
    return found;
}

} // namespace

TEST_CASE("of 1000 comparisons of a program with itself at most 5 % find anything", "[compare][trials]") {
    const auto kind = GENERATE(Noise::Kind::Normal, Noise::Kind::Disturbed);
    const int runs = GENERATE(1, 2, 3, 4, 5, 10);
    CAPTURE(static_cast<int>(kind), runs);
    const int found = trials_with_findings(1000, runs, kind, 0.02);
    CHECK(found <= 50);
}

TEST_CASE("ten runs a side find a function that is 5 % slower in 95 % of all trials, and no other",
          "[compare][trials]") {
    const auto kind = GENERATE(Noise::Kind::Normal, Noise::Kind::Disturbed);
    int found = 0, others = 0;
    constexpr int Trials = 200;
    for (int trial = 0; trial < Trials; ++trial) {
        Noise noise(static_cast<std::uint32_t>(trial), kind, 0.01);
        const std::vector<analysis::Profile> base = simulated(10, noise), next = simulated(10, noise, 1.05);
        const Compared both(base, next);
        const bool its = both.row("f10").verdict == Verdict::Slower;
        found += its;
        others += findings(both) > (its ? 1u : 0u);
    }
    CAPTURE(static_cast<int>(kind), others);
    // Where a tenth of a function's times is disturbed, three of ten runs often are.
    CHECK(found >= (kind == Noise::Kind::Normal ? 95 : 80) * Trials / 100);
    CHECK(others <= 5 * Trials / 100);
}

// With normal noise and few pairs the test is exact, so that the number of findings scatters around 5 %.
TEST_CASE("of 300 comparisons in pairs of a program with itself 5 % find anything", "[compare][trials]") {
    const auto kind = GENERATE(Noise::Kind::Normal, Noise::Kind::Disturbed);
    const int pairs = GENERATE(2, 3, 5, 10);
    const double cut = GENERATE(0.0, 0.15);
    CAPTURE(static_cast<int>(kind), pairs, cut);
    int found = 0;
    for (int trial = 0; trial < 300; ++trial) {
        Noise noise(static_cast<std::uint32_t>(3000 + trial), kind, 0.02);
        found += findings(compared(simulated_pairs(pairs, noise, cut), true)) != 0;
    }
    CHECK(found <= 15 + 2 * std::sqrt(15 * 0.95));
}

TEST_CASE("the ratio of pairs is right on average, and in its 95 % interval in 95 % of all cases",
          "[compare][trials]") {
    constexpr int Trials = 400;
    constexpr double Slower = 1.05;
    const int pairs = GENERATE(2, 4, 10);
    const double cut = GENERATE(0.0, 0.15);
    CAPTURE(pairs, cut);
    double sum = 0, squares = 0;
    int held = 0, cases = 0;
    const auto see = [&](const compare::RatioInterval& interval, double truth) {
        const double off = std::log(interval.ratio / truth);
        sum += off;
        squares += off * off;
        held += interval.low <= truth && truth <= interval.high;
        ++cases;
    };
    for (int trial = 0; trial < Trials; ++trial) {
        Noise noise(static_cast<std::uint32_t>(5000 + trial), Noise::Kind::Normal, 0.01);
        const Compared both = compared(simulated_pairs(pairs, noise, cut, Slower), true);
        see(*both.row("f10").interval, Slower);
        see(*both.row("f5").interval, 1);
        double share = 0; // of f10 in all time
        for (int f = 0; f < Functions; ++f)
            share += f == 10 ? 0 : 1 + 10.0 * f;
        share = 101 / (101 + share);
        see(*both.comparison.total, 1 + share * (Slower - 1));
    }
    const double error = std::sqrt(squares) / cases; // of the mean
    // The three of a trial have the noise of whole runs in common.
    CHECK(std::abs(sum / cases) < 3 * std::sqrt(3.0) * error);
    CHECK(held >= 0.93 * cases);
}

TEST_CASE("ten pairs find a function that is 5 % slower where the machine's speed changes from pair to pair",
          "[compare][trials]") {
    constexpr int Trials = 150;
    const double cut = GENERATE(0.0, 0.1);
    int found = 0, unpaired = 0, others = 0;
    for (int trial = 0; trial < Trials; ++trial) {
        Noise noise(static_cast<std::uint32_t>(7000 + trial), Noise::Kind::Normal, 0.01);
        const compare::Runs runs = simulated_pairs(10, noise, cut, 1.05);
        const Compared both = compared(runs, true);
        const bool its = both.row("f10").verdict == Verdict::Slower;
        found += its;
        others += findings(both) > (its ? 1u : 0u);
        unpaired += compared(runs, false).row("f10").verdict == Verdict::Slower;
    }
    CAPTURE(cut, others, unpaired);
    CHECK(found >= (cut == 0 ? 95 : 65) * Trials / 100);
    CHECK(others <= 5 * Trials / 100);
    CHECK(unpaired < found / 3);
}
