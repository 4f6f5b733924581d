// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/sampled_times.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

using namespace vftr::analysis;

namespace {

constexpr double Period = 1e6; // ticks; some 3200 samples of Program

struct Truth {
    double user, kernel, hooks; // ticks
    double model;               // of `hooks`
    double own_hooks;           // of its own calls
    double exclusive() const { return user + kernel; }
};

// A function that works for long; the caller of a tiny one, with twice of the hooks' cost by the model, and the tiny
// one, with four times; one that is in the kernel for most of its time; and another tiny one.
const std::vector<Truth> Program = {{1e9, 0, 1e4, 1.2e4, 1e4},
                                    {2e8, 0, 8e8, 4e8, 1e5},
                                    {1e8, 0, 4e8, 1e8, 9e8},
                                    {1e8, 2e8, 1e6, 1e6, 1e6},
                                    {3e8, 0, 3e8, 3.5e8, 6e8}};

struct Trial {
    std::vector<FunctionTime> functions;
    AllHooks all{};

    std::vector<JoinedTime> joined() const { return join(functions, all); }
};

// Of a clock that goes on in user mode only: the number of samples is known, and where they are is random.
Trial sampled(const std::vector<Truth>& program, std::mt19937_64& random, double period = Period) {
    std::vector<double> places; // hooks and user mode of each function
    for (const Truth& function : program)
        places.insert(places.end(), {function.hooks, function.user});
    std::vector<std::uint64_t> seen(places.size());
    const auto samples = static_cast<std::uint64_t>(std::accumulate(places.begin(), places.end(), 0.0) / period);
    std::discrete_distribution<std::size_t> place(places.begin(), places.end());
    for (std::uint64_t i = 0; i < samples; ++i)
        ++seen[place(random)];
    Trial trial;
    std::uint64_t in_hooks = 0;
    for (std::size_t f = 0; f < program.size(); ++f) {
        const Truth& function = program[f];
        const auto user = static_cast<double>(seen[2 * f + 1]);
        trial.functions.push_back({function.exclusive() + function.hooks, function.model, function.own_hooks,
                                   user * period, (user + 1) * period * period});
        in_hooks += seen[2 * f];
    }
    trial.all = hooks_by_samples(in_hooks, samples, period);
    return trial;
}

} // namespace

TEST_CASE("times from hooks and samples are right on average, and their intervals hold", "[sampled_times]") {
    constexpr int Trials = 1000;
    std::mt19937_64 random(1);
    std::vector<double> sum(Program.size());
    std::vector<int> held(Program.size());
    for (int i = 0; i < Trials; ++i) {
        const Trial trial = sampled(Program, random);
        const std::vector<JoinedTime> joined = trial.joined();
        for (std::size_t f = 0; f < Program.size(); ++f) {
            sum[f] += joined[f].exclusive;
            held[f] += std::abs(joined[f].exclusive - Program[f].exclusive()) <= joined[f].error;
        }
    }
    for (std::size_t f = 0; f < Program.size(); ++f) {
        INFO("function " << f << ": " << sum[f] / Trials << " for " << Program[f].exclusive() << ", " << held[f]
                         << " intervals held");
        CHECK(std::abs(sum[f] / Trials - Program[f].exclusive()) < 0.05 * Program[f].exclusive());
        CHECK(held[f] >= 0.93 * Trials); // three standard deviations below 95 %
    }
}

TEST_CASE("a long function keeps the exact time of its hooks", "[sampled_times]") {
    std::mt19937_64 random(2);
    const Trial trial = sampled(Program, random);
    const std::vector<JoinedTime> joined = trial.joined();
    CHECK(std::abs(joined[0].exclusive - 1e9) < 1e5); // its samples alone scatter by 3e7
}

// Issue: the application time was too small, by 10 % with a hundred samples and by 4 % with four hundred, and more
// where there was time in the kernel; its interval held in half of the runs.
TEST_CASE("the sum of all times is right on average, and its interval holds", "[sampled_times]") {
    constexpr int Trials = 1000;
    const double kernel = GENERATE(0.0, 0.1, 0.5); // of each second function's time in user mode
    const double samples = GENERATE(50.0, 200.0, 3000.0);
    std::vector<Truth> program = Program;
    double true_sum = 0, all = 0;
    for (std::size_t f = 0; f < program.size(); ++f) {
        program[f].kernel = f % 2 ? program[f].user * kernel : 0;
        true_sum += program[f].exclusive();
        all += program[f].user + program[f].hooks;
    }
    std::mt19937_64 random(3);
    double sum_of_trials = 0;
    int held = 0;
    for (int i = 0; i < Trials; ++i) {
        const Trial trial = sampled(program, random, all / samples);
        double sum = 0;
        for (const JoinedTime& time : trial.joined())
            sum += time.exclusive;
        sum_of_trials += sum;
        held += std::abs(sum - true_sum) <= 1.96 * std::sqrt(trial.all.variance);
    }
    INFO(samples << " samples, kernel " << kernel << ": " << sum_of_trials / Trials << " for " << true_sum << ", "
                 << held << " intervals held");
    CHECK(sum_of_trials / Trials == Approx(true_sum).epsilon(kernel == 0 && samples >= 3000 ? 0.01 : 0.03));
    CHECK(held >= 0.93 * Trials);
}

TEST_CASE("samples that interrupts have delayed stand for more, and the kernel's time in long functions is no delay",
          "[sampled_times]") {
    const FunctionTime in_kernel{1e9, 0, 0, 5e8, 500 * Period * Period},
        in_hooks{1e9, 5e8, 5e8, 4.5e8, 450 * Period * Period};
    FunctionSamples samples{{500}, 0, 500, Period, 1e9};
    share_lost_time({{in_kernel}}, samples);
    CHECK(samples.ticks == Approx(Period));
    samples = {{450}, 500, 950, Period, 1e9};
    share_lost_time({{in_hooks}}, samples);
    CHECK(samples.ticks == Approx(Period / 0.95));
    samples = {{100}, 500, 600, Period, 1e9}; // too many for interrupts
    share_lost_time({{in_hooks}}, samples);
    CHECK(samples.ticks == Approx(1.1 * Period));
}

TEST_CASE("without samples in hooks nothing is taken away", "[sampled_times]") {
    const std::vector<FunctionTime> functions = {{5e8, 2e8, 2e8, 5e8, 500 * Period * Period},
                                                 {1e8, 0, 0, 0, Period * Period}};
    const std::vector<JoinedTime> joined = join(functions, {0, Period * Period, Period});
    CHECK(joined[0].exclusive == Approx(5e8).epsilon(1e-6));
    CHECK(joined[1].exclusive == Approx(1e8).epsilon(1e-6));
}

// As where most calls are not counted: what an accessor takes of its caller's time is a guess, and it is twice the
// caller's.
TEST_CASE("times that are guessed become those of the samples", "[sampled_times]") {
    const std::vector<FunctionTime> functions = {{3e8, 1e5, 1e5, 8e8, 800 * Period * Period, 1e9},
                                                 {6e8, 1e5, 1e5, 1e8, 100 * Period * Period, 1e9},
                                                 {5e8, 1e5, 1e5, 5e8, 500 * Period * Period, 0}};
    const std::vector<JoinedTime> joined = join(functions, {3e5, 10 * Period * Period, std::sqrt(10) * Period});
    CHECK(joined[0].exclusive == Approx(8e8).epsilon(0.05));
    CHECK(joined[1].exclusive == Approx(1e8).epsilon(0.2));
    CHECK(joined[2].exclusive == Approx(5e8).epsilon(1e-3));
    // As their sum is known, what is uncertain of one is so of the other: 95 % of samples of 800 and of 100.
    CHECK(joined[0].error == Approx(1.96 * std::sqrt(800.0 * 100 / 900) * Period).epsilon(0.1));
}

TEST_CASE("no function at all is no harm", "[sampled_times]") {
    CHECK(join({}, {0, 0, 0}).empty());
    CHECK(join({}, {1e9, 1, 1}).empty());
    CHECK(join(std::vector<FunctionTime>{{0, 0, 0, 0, 0}}, {1e9, 1, 1}).size() == 1);
}
