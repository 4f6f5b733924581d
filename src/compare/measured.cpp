// SPDX-License-Identifier: BSD-3-Clause
#include "compare/measured.hpp"

#include "compare/statistics.hpp"
#include "symbols/qualified_name.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace vftr::compare {
namespace {

constexpr double Nanosecond = 1e-9;
constexpr double VarianceUnit = 1e-12; // profiles have µs²

// What a time of all ranks has to be multiplied by, and how the ranks differ.
struct OverRanks {
    double factor = 1, scatter = 0;
};

OverRanks over_ranks(const analysis::Profile& run, std::uint32_t node, By by) {
    const auto ranks = static_cast<double>(std::max<std::uint32_t>(run.rank_count, 1));
    OverRanks result;
    if (by == By::Mean)
        result.factor = 1 / ranks;
    if (run.extremes.empty() || run.rank_count < 2)
        return result;
    const analysis::Extremes& extremes = run.extremes[node].exclusive;
    if (by == By::Max && run.nodes[node].exclusive != 0)
        result.factor = static_cast<double>(extremes.max) / static_cast<double>(run.nodes[node].exclusive);
    const double of_rank =
        static_cast<double>(extremes.max - extremes.min) * Nanosecond / expected_range(run.rank_count);
    result.scatter = by == By::Sum ? of_rank * std::sqrt(ranks) : by == By::Mean ? of_rank / std::sqrt(ranks) : of_rank;
    return result;
}

double application_time(const analysis::Profile& run) {
    return run.average(run.summary.times.sum.application()) * Nanosecond;
}

std::uint64_t calls_of(const analysis::Profile& run, const symbols::Pattern& pattern) {
    std::uint64_t calls = 0;
    for (const analysis::PathNode& node : run.nodes)
        if (pattern.matches(symbols::parse_qualified(run.names[node.name]).name))
            calls += node.calls;
    return calls;
}

double divided_by(const analysis::Profile& run, const Measure& wanted) {
    if (wanted.divisor == Divisor::None)
        return 1;
    double divisor = application_time(run) / 100; // in percent
    if (wanted.divisor == Divisor::Calls) {
        const auto ranks = static_cast<double>(std::max<std::uint32_t>(run.rank_count, 1));
        divisor = static_cast<double>(calls_of(run, *wanted.calls_of)) * 1e-6; // in microseconds
        if (wanted.by != By::Sum)
            divisor /= ranks;
    } else if (wanted.by == By::Sum) {
        divisor *= static_cast<double>(std::max<std::uint32_t>(run.rank_count, 1));
    }
    if (divisor <= 0)
        throw std::runtime_error(wanted.divisor == Divisor::Calls
                                     ? "--normalise: a run has no calls of such a function"
                                     : "--normalise: the application time of a run is not known");
    return divisor;
}

MeasuredRun measure_run(const analysis::Profile& run, const CombinedTree& tree,
                        const std::vector<std::uint32_t>& places, const Measure& wanted) {
    MeasuredRun result;
    result.rows.resize(wanted.paths ? tree.size() : tree.paths().names.size());
    result.application = application_time(run);
    result.ranks = std::max<std::uint32_t>(run.rank_count, 1);
    const double divisor = divided_by(run, wanted);
    for (std::uint32_t id = 0; id < run.nodes.size(); ++id) {
        const analysis::PathNode& node = run.nodes[id];
        if (!node.calls && !node.exclusive && !node.inclusive)
            continue;
        Cell& cell = result.rows[wanted.paths ? places[id] : tree.function(places[id])];
        const OverRanks over = over_ranks(run, id, wanted.by);
        const double factor = over.factor / divisor;
        cell.there = true;
        cell.time += static_cast<double>(node.exclusive) * Nanosecond * factor;
        cell.variance += static_cast<double>(node.variance) * VarianceUnit * factor * factor;
        cell.unknown += static_cast<double>(node.unknown) * Nanosecond * factor;
        cell.scatter += over.scatter / divisor;
        cell.calls += node.calls;
        cell.estimated_calls |= node.unseen != 0;
    }
    for (const Cell& cell : result.rows)
        result.all += cell.time;
    return result;
}

// Sums of different numbers of ranks have no mean.
void check_ranks(const std::vector<analysis::Profile>& side) {
    for (const analysis::Profile& run : side)
        if (run.rank_count != side.front().rank_count)
            throw std::runtime_error("the runs of one side have " + std::to_string(side.front().rank_count) + " and " +
                                     std::to_string(run.rank_count) +
                                     " ranks: those of a side have to have the same number");
}

} // namespace

Measured measure(const Runs& runs, const CombinedTree& tree, const Measure& wanted) {
    Measured result;
    if (wanted.divisor == Divisor::ApplicationTime)
        result.unit = "%";
    else if (wanted.divisor == Divisor::Calls)
        result.unit = "µs/call";
    for (std::size_t side = 0; side < runs.size(); ++side) {
        check_ranks(runs[side]);
        for (std::size_t run = 0; run < runs[side].size(); ++run)
            result.runs[side].push_back(measure_run(runs[side][run], tree, tree.places(side, run), wanted));
    }
    return result;
}

} // namespace vftr::compare
