// SPDX-License-Identifier: BSD-3-Clause
#include "compare/comparison.hpp"

#include "compare/incomplete_runs.hpp"
#include "compare/pairs.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace vftr::compare {
namespace {

constexpr double Level = 1 - Confidence;
constexpr std::size_t RunsForRanks = 4; // of each side, for the rank test
// What of a row's time, and of all time, is no change that matters.
constexpr double SameShare = 0.02, SameOfAll = 0.001;
// A row that is not known is shown where its difference is so much of all time.
constexpr double ShownOfAll = 0.01, MuchOfAll = 0.01;
// The noise of short functions, in standard deviations of all time, where each side has one run.
constexpr double NoiseOfAll = 0.0025;

// The times of a row, or of all of the program, by run.
struct Times {
    // `paired`: runs of the same index are pairs. Times of which one is 0 have no ratio, so they are not.
    Times(PerSide<std::vector<double>> of_runs, bool paired) : of(std::move(of_runs)) {
        const auto all_above_0 = [](const std::vector<double>& times) {
            return std::ranges::all_of(times, [](double time) { return time > 0; });
        };
        in_pairs = paired && of[Base].size() > 1 && std::ranges::all_of(of, all_above_0);
        if (in_pairs)
            mean = means_of_pairs(of[Base], of[New]);
        else
            for (std::size_t side = 0; side < of.size(); ++side)
                mean[side] = mean_of(of[side]).value;
    }

    PerSide<std::vector<double>> of;
    PerSide<double> mean{};
    bool in_pairs = false;
};

// Errors of single runs, as standard deviations.
using SingleErrors = PerSide<double>;

bool have_single_runs_only(const Times& times) { return times.of[Base].size() == 1 && times.of[New].size() == 1; }

// Both means are above 0.
RatioInterval interval_of(const Times& times, const SingleErrors& errors) {
    if (times.in_pairs)
        return ratio_of_pairs(times.of[Base], times.of[New]);
    if (have_single_runs_only(times))
        return ratio_of({times.mean[Base], errors[Base] / times.mean[Base]},
                        {times.mean[New], errors[New] / times.mean[New]});
    PerSide<Estimate> estimate;
    double pooled = 0;
    for (std::size_t side = 0; side < estimate.size(); ++side)
        if (times.of[side].size() > 1)
            estimate[side] = mean_of(times.of[side]);
    for (std::size_t side = 0; side < estimate.size(); ++side)
        if (times.of[side].size() == 1) {
            const Estimate& other = estimate[1 - side];
            pooled = other.freedom;
            estimate[side] = {times.mean[side], other.error * std::sqrt(other.freedom + 1), pooled};
        }
    return ratio_of(estimate[Base], estimate[New], pooled);
}

// The p-value that counts: that of the interval, with which a test that knows no distribution has to agree where there
// are enough runs: the ranks of runs, or the signs of pairs.
double p_value(const Times& times, double of_interval) {
    const std::vector<double>&base = times.of[Base], &next = times.of[New];
    const std::size_t enough = times.in_pairs ? PairsForSigns : RunsForRanks;
    if (base.size() < enough || next.size() < enough)
        return of_interval;
    const double other = times.in_pairs ? sign_test(base, next) : rank_test(base, next);
    return other <= Level ? of_interval : std::max(of_interval, other);
}

// The standard deviation of runs of the same program, by the user's word: of the logarithm of a ratio there are two.
double assumed_noise(double time, double noise) {
    return time * std::log(1 + noise) / two_sided_quantile() / std::sqrt(2.0);
}

class Judge {
public:
    Judge(const Measured& measured, const Judging& judging)
        : measured_(measured), noise_(judging.noise), paired_(judging.paired) {
        for (std::size_t side = 0; side < all_.size(); ++side) {
            for (const MeasuredRun& run : measured.runs[side])
                all_[side] += run.all;
            all_[side] /= static_cast<double>(measured.runs[side].size());
        }
    }

    double all() const { return std::max(all_[Base], all_[New]); }

    Times times_of(std::uint32_t id) const {
        return times_of_runs([id](const MeasuredRun& run) { return run.rows[id].time; });
    }
    Times application_times() const {
        return times_of_runs([](const MeasuredRun& run) { return run.application; });
    }

    double assumed_noise(double time) const { return vftr::compare::assumed_noise(time, noise_); }

    SingleErrors single_errors(std::uint32_t id) const {
        SingleErrors errors{};
        for (std::size_t side = 0; side < errors.size(); ++side) {
            const Cell& cell = measured_.runs[side].front().rows[id];
            const double estimated = std::hypot(std::sqrt(cell.variance), cell.scatter);
            errors[side] = std::hypot(estimated, assumed_noise(cell.time), NoiseOfAll * all_[side]);
        }
        return errors;
    }

    // Of the ratio, relative.
    double systematic(std::uint32_t id, const Times& times) const {
        PerSide<double> error{};
        for (std::size_t side = 0; side < error.size(); ++side) {
            for (const MeasuredRun& run : measured_.runs[side])
                error[side] += run.rows[id].unknown;
            error[side] /= static_cast<double>(measured_.runs[side].size()) * times.mean[side];
        }
        return std::hypot(error[Base], error[New]);
    }

    // Whether there is no change of a size that matters.
    bool is_same(const RatioInterval& interval, double base) const { return is_same(interval, base, all()); }
    static bool is_same(const RatioInterval& interval, double base, double all) {
        const double largest = std::max(interval.high - 1, 1 - interval.low);
        return largest <= SameShare || largest * base <= SameOfAll * all;
    }

    bool could_matter(const Times& times) const {
        return std::max(times.mean[Base], times.mean[New]) >= SameOfAll * all();
    }

private:
    template <class Time>
    Times times_of_runs(Time time) const {
        PerSide<std::vector<double>> of;
        for (std::size_t side = 0; side < of.size(); ++side)
            for (const MeasuredRun& run : measured_.runs[side])
                of[side].push_back(time(run));
        return {std::move(of), paired_};
    }

    const Measured& measured_;
    PerSide<double> all_{};
    double noise_;
    bool paired_;
};

CallsOfRuns calls_of_runs(const std::vector<MeasuredRun>& runs, std::uint32_t id) {
    CallsOfRuns calls{runs.front().rows[id].calls, runs.front().rows[id].calls, false};
    for (const MeasuredRun& run : runs) {
        calls.least = std::min(calls.least, run.rows[id].calls);
        calls.most = std::max(calls.most, run.rows[id].calls);
        calls.estimated |= run.rows[id].estimated_calls;
    }
    return calls;
}

std::uint32_t runs_that_have(const std::vector<MeasuredRun>& runs, std::uint32_t id) {
    return static_cast<std::uint32_t>(
        std::ranges::count_if(runs, [id](const MeasuredRun& run) { return run.rows[id].there; }));
}

Verdict direction(const RatioInterval& interval) { return interval.ratio > 1 ? Verdict::Slower : Verdict::Faster; }

} // namespace

std::string_view verdict_name(Verdict verdict) {
    constexpr std::string_view Names[VerdictCount] = {"slower", "faster", "same", "not known", "new", "gone"};
    return Names[static_cast<std::size_t>(verdict)];
}

std::size_t Comparison::count(Verdict verdict) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(rows, [verdict](const Row& row) { return row.verdict == verdict; }));
}

namespace {

Row row_of(const Measured& measured, std::uint32_t id, const Times& times) {
    Row row;
    row.id = id;
    row.time = times.mean;
    PerSide<double> of_rank{};
    for (std::size_t side = 0; side < row.calls.size(); ++side) {
        const std::vector<MeasuredRun>& runs = measured.runs[side];
        row.calls[side] = calls_of_runs(runs, id);
        row.runs[side] = runs_that_have(runs, id);
        of_rank[side] = static_cast<double>(row.calls[side].most) / runs.front().ranks;
    }
    row.calls_changed = row.runs[Base] != 0 && row.runs[New] != 0 && row.calls[Base].is_certain() &&
                        row.calls[New].is_certain() && of_rank[Base] != of_rank[New];
    if (row.runs[Base] == 0 && row.runs[New] == measured.runs[New].size())
        row.verdict = Verdict::New;
    else if (row.runs[New] == 0 && row.runs[Base] == measured.runs[Base].size())
        row.verdict = Verdict::Gone;
    return row;
}

// Whether something is told of the row besides its times: of a new or gone subtree the uppermost call path, and what of
// it takes time.
bool is_news(const CombinedTree& tree, const Row& row, bool paths, double least_time) {
    if (row.verdict != Verdict::New && row.verdict != Verdict::Gone)
        return paths ? tree.moved_from(row.id) != Nowhere : tree.renamed_from(row.id) != Nowhere;
    return !paths || tree.is_in_both(tree.parent(row.id)) || std::max(row.time[Base], row.time[New]) >= least_time;
}

// A row, or the total, that is tested; its verdict so far is that it is not known.
struct Test {
    Times times;
    RatioInterval interval;
    double systematic = 0; // of the ratio
    Verdict* verdict = nullptr;
};

// By how much all functions together are slower in the only run of the new side, as a logarithm: the median of those
// with much time. A machine that was slower in that run makes none of them stand out. 0: there are too few to tell.
double common_shift(const std::vector<Test>& tests, double all) {
    constexpr std::size_t FewestRows = 3;
    std::vector<double> shifts;
    for (const Test& test : tests)
        if (std::max(test.times.mean[Base], test.times.mean[New]) >= MuchOfAll * all)
            shifts.push_back(std::log(test.interval.ratio));
    if (shifts.size() < FewestRows)
        return 0;
    const auto middle = shifts.begin() + static_cast<std::ptrdiff_t>(shifts.size() / 2);
    std::ranges::nth_element(shifts, middle);
    return *middle;
}

// The p-value of the rest of a single run's difference.
double p_besides(const Test& test, double shift) {
    const double error = std::log(test.interval.high / test.interval.ratio) / two_sided_quantile();
    return ratio_of({1, error}, {test.interval.ratio * std::exp(-shift), 0}).p;
}

void judge_tests(const std::vector<Test>& rows, const std::optional<Test>& total, double all) {
    std::vector<Test> tests = rows;
    if (total)
        tests.push_back(*total);
    std::vector<double> p;
    const double shift = common_shift(rows, all);
    for (const Test& test : tests) {
        p.push_back(p_value(test.times, test.interval.p));
        if (have_single_runs_only(test.times) && p.size() <= rows.size())
            p.back() = std::max(p.back(), p_besides(test, shift));
    }
    const std::vector<bool> significant = holm(p, Level);
    for (std::size_t i = 0; i < tests.size(); ++i)
        if (significant[i] && std::abs(std::log(tests[i].interval.ratio)) > tests[i].systematic)
            *tests[i].verdict = direction(tests[i].interval);
}

bool has_time(const Times& times) { return times.mean[Base] > 0 && times.mean[New] > 0; }

// Adds all rows, with intervals where they could matter, and returns what is to be tested of them.
std::vector<Test> row_tests(Comparison& result, const Measured& measured, const Judge& judge) {
    std::vector<Test> tests;
    std::vector<std::size_t> tested; // rows by test: they move while they are collected
    const auto count = static_cast<std::uint32_t>(measured.runs[Base].front().rows.size());
    for (std::uint32_t id = 0; id < count; ++id) {
        if (runs_that_have(measured.runs[Base], id) + runs_that_have(measured.runs[New], id) == 0)
            continue;
        Times times = judge.times_of(id);
        Row& row = result.rows.emplace_back(row_of(measured, id, times));
        // Of a million call paths few could matter, and a quantile takes as long as a hundred look-ups.
        if (!has_time(times) || !judge.could_matter(times))
            continue;
        const double systematic = judge.systematic(id, times);
        row.interval = widened(interval_of(times, judge.single_errors(id)), systematic);
        if (row.verdict == Verdict::NotKnown) {
            tests.push_back({std::move(times), *row.interval, systematic});
            tested.push_back(result.rows.size() - 1);
        }
    }
    for (std::size_t i = 0; i < tests.size(); ++i)
        tests[i].verdict = &result.rows[tested[i]].verdict;
    return tests;
}

std::optional<Test> total_test(Comparison& result, const Judge& judge) {
    Times total = judge.application_times();
    result.application = total.mean;
    if (!has_time(total))
        return std::nullopt;
    const SingleErrors errors{judge.assumed_noise(total.mean[Base]), judge.assumed_noise(total.mean[New])};
    result.total = interval_of(total, errors);
    return Test{std::move(total), *result.total, 0, &result.total_verdict};
}

// What the tests have left open, and which rows matter.
void finish_row(Row& row, const RowPercentiles* percentiles, const CombinedTree& tree, const Judge& judge, bool paths) {
    const double larger = std::max(row.time[Base], row.time[New]), least = SameOfAll * judge.all();
    if (row.verdict == Verdict::NotKnown &&
        (row.interval ? judge.is_same(*row.interval, row.time[Base]) : larger <= least))
        row.verdict = Verdict::Same;
    const bool found = row.verdict == Verdict::Slower || row.verdict == Verdict::Faster;
    const bool open = row.verdict == Verdict::NotKnown && std::abs(row.difference()) >= ShownOfAll * judge.all();
    row.matters = found || open || row.calls_changed || is_news(tree, row, paths, least);
    row.calls_matter = percentiles && percentiles->differs() && larger > least;
}

// A function whose calls the compiler has inlined in one of the builds is gone from that, and its time is its callers'.
// A new or gone callee with a good part of its caller's difference looks so; nobody can be sure, as the call may as
// well have been replaced by slower code.
void find_inlined_callees(Comparison& result, const CombinedTree& tree, bool paths) {
    constexpr double LeastShare = 0.5; // of the difference
    std::vector<Row*> rows(paths ? tree.size() : tree.paths().names.size());
    for (Row& row : result.rows)
        rows[row.id] = &row;
    const auto row_at = [&](std::uint32_t place) { return rows[paths ? place : tree.function(place)]; };
    const auto time_of = [](const Row& callee) { return std::max(callee.time[Base], callee.time[New]); };
    std::vector<double> most(rows.size());
    for (std::uint32_t place = 1; place < tree.size(); ++place) {
        const Row *const callee = row_at(place), *const caller = row_at(tree.parent(place));
        if (!callee || !caller || !tree.is_in_both(tree.parent(place)))
            continue;
        const bool explains = (caller->verdict == Verdict::Slower && callee->verdict == Verdict::Gone) ||
                              (caller->verdict == Verdict::Faster && callee->verdict == Verdict::New);
        if (!explains || time_of(*callee) < LeastShare * std::abs(caller->difference()) ||
            time_of(*callee) <= most[caller->id])
            continue;
        most[caller->id] = time_of(*callee);
        rows[caller->id]->perhaps_inlined = tree.function(place);
    }
}

// Percentiles are by id, as are the rows before they are sorted by difference.
void add_percentiles(Comparison& result) {
    std::size_t next = 0;
    for (Row& row : result.rows) {
        while (next < result.percentiles.size() && result.percentiles[next].id < row.id)
            ++next;
        if (next < result.percentiles.size() && result.percentiles[next].id == row.id)
            row.percentiles = static_cast<std::uint32_t>(next);
    }
}

} // namespace

SeriesComparison compare_series(const PerSide<std::vector<double>>& values, const Judging& judging) {
    const Times times(values, judging.paired);
    SeriesComparison result;
    result.mean = times.mean;
    if (!has_time(times))
        return result;
    const SingleErrors errors{assumed_noise(times.mean[Base], judging.noise),
                              assumed_noise(times.mean[New], judging.noise)};
    result.interval = interval_of(times, errors);
    if (p_value(times, result.interval->p) <= Level)
        result.verdict = direction(*result.interval);
    else if (Judge::is_same(*result.interval, times.mean[Base], times.mean[Base]))
        result.verdict = Verdict::Same;
    return result;
}

Comparison compare(const Runs& runs, const CombinedTree& tree, const Measure& wanted, const Judging& judging) {
    const Measured measured = measure(runs, tree, wanted);
    const Judge judge(measured, judging);
    Comparison result;
    result.measure = wanted;
    result.unit = measured.unit;
    for (std::size_t side = 0; side < runs.size(); ++side)
        for (std::string& sentence : incomplete_runs(runs[side], side == Base ? "Base" : "New"))
            result.incomplete.push_back(std::move(sentence));
    result.paired = judging.paired && runs[Base].size() > 1;
    for (std::size_t side = 0; side < runs.size(); ++side) {
        result.runs[side] = runs[side].size();
        result.ranks[side] = measured.runs[side].front().ranks;
    }
    const std::vector<Test> tests = row_tests(result, measured, judge);
    judge_tests(tests, total_test(result, judge), judge.all());
    result.percentiles = call_percentiles(runs, tree, wanted.paths);
    add_percentiles(result);
    for (Row& row : result.rows)
        finish_row(row, result.percentiles_of(row), tree, judge, wanted.paths);
    if (result.total && result.total_verdict == Verdict::NotKnown &&
        judge.is_same(*result.total, result.application[Base], result.application[Base]))
        result.total_verdict = Verdict::Same;
    find_inlined_callees(result, tree, wanted.paths);
    std::ranges::stable_sort(result.rows, {}, [](const Row& row) { return -std::abs(row.difference()); });
    return result;
}

} // namespace vftr::compare
