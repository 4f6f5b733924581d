// SPDX-License-Identifier: BSD-3-Clause
#include "record/timing/hook_costs.hpp"

#include "base/clock.hpp"
#include "base/errno_preserved.hpp"
#include "base/memory.hpp"
#include "base/signal_mask.hpp"
#include "record/recorder.hpp"
#include "record/timing/steady_times.hpp"

#include <algorithm>
#include <atomic>

namespace vftr::record {

namespace {

// Factor by which hooks cost more in a program than in the samples, where all that they need is in the caches: in
// programs they share caches and branch predictors with everything else. Clock readings cost the same everywhere and
// are not multiplied. Nine programs with two compilers gave factors of 1.1 to 1.6 (bench/figures/totals.sh).
constexpr double InPrograms = 1.3;

constexpr std::uint64_t BetweenSamples = 1 << 28;    // ticks: about 0.1 s
constexpr std::uint64_t MostTime = 1000;             // a sample takes at most this fraction of the time, 1/1000
constexpr int SamplesAtFirst = 4, FewestSamples = 8; // FewestSamples: for short runs

Calibration calibration;
SteadyTimes times;
int samples;
std::atomic<std::uint64_t> next_sample; // ticks of the next sample
base::SpinLock sampling;

// Recorded threads may read the costs at the same time (hook_cost).
void store_costs(const vfd::HookCosts& costs) {
    using Costs = vfd::HookCosts;
    constexpr double Costs::*All[] = {&Costs::timed,       &Costs::inside,     &Costs::timed_long,
                                      &Costs::inside_long, &Costs::timed_rare, &Costs::inside_rare,
                                      &Costs::folded,      &Costs::count_only, &Costs::count_only_apart,
                                      &Costs::nesting,     &Costs::excluded};
    static_assert(sizeof All / sizeof *All * sizeof(double) == sizeof(Costs));
    for (const auto cost : All)
        std::atomic_ref(recorder.writer.header().costs.*cost).store(costs.*cost, std::memory_order_relaxed);
}

// Adds a sample and returns the ticks that it took; 0: there is no memory for it. It is noexcept so that functions that
// call it need no exception table: an asynchronous cancellation within a function with such a table would end the
// program.
std::uint64_t add_sample() noexcept {
    if (!calibration.exists() && !calibration.create())
        return 0;
    const std::uint64_t begin = base::read_ticks();
    times.add(calibration.sample());
    ++samples;
    const std::uint64_t end = base::read_ticks(), taken = std::max<std::uint64_t>(end - begin, 1);
    next_sample.store(end + std::max(BetweenSamples, MostTime * taken), std::memory_order_relaxed);
    return taken;
}

void add_samples(int count) {
    while (count > 0 && add_sample() != 0)
        --count;
    if (samples > 0)
        store_costs(costs_of(times.sums()));
}

// Forgets the samples but for their mean, which counts as the fewest samples that a run has.
void keep_mean_only() {
    times.weigh(static_cast<double>(FewestSamples) / samples);
    samples = FewestSamples;
}

} // namespace

vfd::HookCosts costs_of(const AllPairTimes& sums) {
    auto of = [&](PairKind kind) -> const PairTimes& { return sums[static_cast<std::size_t>(kind)]; };
    auto work_of = [&](PairKind kind) { return of(kind).without / std::max(of(kind).pairs, 1.0); };
    const double some_work = work_of(PairKind::Timed) / 2, more_work = work_of(PairKind::Long) - some_work;
    const double clock = of(PairKind::Clock).pair();
    auto in_programs = [&](double pair) { return InPrograms * pair - (InPrograms - 1) * std::min(clock, pair); };
    const double timed = in_programs(of(PairKind::Timed).pair()), timed_long = in_programs(of(PairKind::Long).pair());
    const double count_only = of(PairKind::CountOnly).pair(),
                 timed_rare = in_programs(of(PairKind::Rare).timed_among(count_only));
    return {.timed = timed,
            .inside = std::min(of(PairKind::Timed).inside(some_work), timed),
            .timed_long = timed_long,
            .inside_long = std::min(of(PairKind::Long).inside(more_work), timed_long),
            .timed_rare = timed_rare,
            .inside_rare = std::min(of(PairKind::Rare).inside(some_work), timed_rare),
            .folded = of(PairKind::Folded).pair(),
            .count_only = InPrograms * count_only,
            .count_only_apart = InPrograms * of(PairKind::Either).pair(),
            .nesting = InPrograms * of(PairKind::Nested).nesting(count_only),
            .excluded = of(PairKind::Excluded).pair()};
}

void begin_hook_costs(bool forked) {
    base::InterruptionsDeferred blocked;
    // A thread of the parent may have been adding to the sums when this process was forked.
    if (forked && sampling.try_lock() && samples > 0)
        keep_mean_only();
    else {
        times = {};
        samples = 0;
    }
    add_samples(SamplesAtFirst - samples);
    sampling.unlock(); // no thread is recorded here yet
}

std::uint64_t sample_hook_costs(std::uint64_t now) {
    if (now < next_sample.load(std::memory_order_relaxed))
        return 0;
    return base::preserving_errno([]() -> std::uint64_t {
        base::InterruptionsDeferred blocked;
        if (!sampling.try_lock())
            return 0;
        const std::uint64_t taken = add_sample();
        sampling.unlock();
        return taken;
    });
}

void put_hook_costs() {
    base::InterruptionsDeferred blocked;
    sampling.lock();
    const bool due = base::read_ticks() >= next_sample.load(std::memory_order_relaxed);
    add_samples(std::max(due ? 1 : 0, FewestSamples - samples));
    sampling.unlock();
}

} // namespace vftr::record
