// SPDX-License-Identifier: BSD-3-Clause
#include "compare/call_percentiles.hpp"

#include <algorithm>
#include <utility>

namespace vftr::compare {
namespace {

using analysis::DurationHistogram;

constexpr double KnownWithin = 0.2; // analysis/recording/durations_of.hpp
constexpr double FewestBeyond = 5;  // calls that take longer than a percentile

struct RowHistograms {
    std::uint32_t id;
    PerSide<DurationHistogram> of;
};

class Histograms {
public:
    Histograms(const CombinedTree& tree, bool paths)
        : tree_(tree), paths_(paths), by_row_(paths ? tree.size() : tree.paths().names.size(), Nowhere) {}

    void add(std::size_t side, std::size_t run, const analysis::Profile& profile) {
        const std::vector<std::uint32_t>& places = tree_.places(side, run);
        for (const analysis::PathDurations& path : profile.durations)
            of_row(paths_ ? places[path.node] : tree_.function(places[path.node])).of[side].add(path.histogram);
    }
    std::vector<RowHistograms> take() {
        std::ranges::sort(all_, {}, &RowHistograms::id);
        return std::move(all_);
    }

private:
    RowHistograms& of_row(std::uint32_t id) {
        if (by_row_[id] == Nowhere) {
            by_row_[id] = static_cast<std::uint32_t>(all_.size());
            all_.push_back({id, {}});
        }
        return all_[by_row_[id]];
    }

    const CombinedTree& tree_;
    bool paths_;
    std::vector<std::uint32_t> by_row_; // index into all_
    std::vector<RowHistograms> all_;
};

CallPercentiles percentiles_of(const DurationHistogram& histogram) {
    CallPercentiles result;
    result.calls = histogram.count();
    for (std::size_t i = 0; i < Percentiles.size(); ++i)
        result.ns[i] = histogram.quantile(Percentiles[i].share);
    return result;
}

} // namespace

bool RowPercentiles::differs(std::size_t percentile) const {
    if (!are_in_both())
        return false;
    for (const CallPercentiles& side : of)
        if (static_cast<double>(side.calls) * (1 - Percentiles[percentile].share) < FewestBeyond)
            return false;
    const std::uint64_t less = std::min(of[Base].ns[percentile], of[New].ns[percentile]);
    const std::uint64_t more = std::max(of[Base].ns[percentile], of[New].ns[percentile]);
    return static_cast<double>(less) < (1 - KnownWithin) * static_cast<double>(more);
}

bool RowPercentiles::differs() const {
    for (std::size_t i = 0; i < Percentiles.size(); ++i)
        if (differs(i))
            return true;
    return false;
}

std::vector<RowPercentiles> call_percentiles(const Runs& runs, const CombinedTree& tree, bool paths) {
    const auto have_durations = [](const std::vector<analysis::Profile>& side) {
        return std::ranges::any_of(side, [](const analysis::Profile& run) { return !run.durations.empty(); });
    };
    if (std::ranges::none_of(runs, have_durations))
        return {};
    Histograms histograms(tree, paths);
    for (std::size_t side = 0; side < runs.size(); ++side)
        for (std::size_t run = 0; run < runs[side].size(); ++run)
            histograms.add(side, run, runs[side][run]);
    std::vector<RowPercentiles> all;
    for (const RowHistograms& row : histograms.take())
        all.push_back({row.id, {percentiles_of(row.of[Base]), percentiles_of(row.of[New])}});
    return all;
}

} // namespace vftr::compare
