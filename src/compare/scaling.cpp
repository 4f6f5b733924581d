// SPDX-License-Identifier: BSD-3-Clause
#include "compare/scaling.hpp"

#include "compare/incomplete_runs.hpp"
#include "compare/matched_tree.hpp"
#include "compare/row_names.hpp"
#include "report/number_text.hpp"
#include "report/rows.hpp"
#include "report/text_table.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace vftr::compare {
namespace {

using Profiles = std::vector<analysis::Profile>;

// `share`: what of the ratio is owed to another number of ranks.
std::optional<Efficiency> efficiency_of(const std::optional<RatioInterval>& interval, double share) {
    if (!interval)
        return std::nullopt;
    return Efficiency{share / interval->ratio, share / interval->high, share / interval->low};
}

// Rows by function. A function that was renamed on the way has the name of the scale that it was found in.
class ScalingTable {
public:
    ScalingTable(Scaling& result, std::size_t scales) : result_(result), scales_(scales) {}

    void add(std::size_t scale, const Comparison& comparison, const RowNames& names) {
        for (const Row& row : comparison.rows) {
            ScalingRow& its =
                row_of(names.renamed_from(row).empty() ? names.function_of(row) : names.renamed_from(row));
            its.times.front() = row.time[Base];
            its.times[scale] = row.time[New];
            its.efficiency[scale] = efficiency_of(row.interval, 1);
        }
    }

private:
    ScalingRow& row_of(const std::string& name) {
        const auto [found, is_new] = index_.try_emplace(name, result_.rows.size());
        if (is_new)
            result_.rows.push_back(empty_row(name));
        return result_.rows[found->second];
    }
    ScalingRow empty_row(const std::string& name) const {
        ScalingRow row{name, std::vector<double>(scales_), std::vector<std::optional<Efficiency>>(scales_)};
        row.efficiency.front() = Efficiency();
        return row;
    }

    Scaling& result_;
    std::size_t scales_;
    std::unordered_map<std::string, std::size_t> index_;
};

std::string ranks_of(std::uint32_t ranks) { return report::counted(ranks, "rank"); }

// An interval whose ends are further apart says nothing, and its figures would only take room.
constexpr double WidestInterval = 10;
constexpr double LargestPercent = 1000;

bool is_known(const Efficiency& efficiency) { return efficiency.high <= WidestInterval * efficiency.low; }

std::string efficiency_text(const std::optional<Efficiency>& efficiency) {
    if (!efficiency)
        return report::NoValue;
    const auto percent = [](double value, int digits) {
        return 100 * value < LargestPercent ? report::fixed(100 * value, digits) : std::string(">999");
    };
    if (!is_known(*efficiency))
        return percent(efficiency->value, 1) + " (?)";
    return percent(efficiency->value, 1) + " (" + percent(efficiency->low, 0) + ".." + percent(efficiency->high, 0) +
           ')';
}

std::vector<std::string> cells_of(const ScalingRow& row) {
    std::vector<std::string> cells{report::fixed(row.times.front(), 3)};
    for (std::size_t scale = 1; scale < row.times.size(); ++scale) {
        cells.push_back(report::fixed(row.times[scale], 3));
        cells.push_back(efficiency_text(row.efficiency[scale]));
    }
    cells.push_back(report::fixed(row.lost(), 3));
    cells.push_back(report::fit(row.name, report::NameWidth));
    return cells;
}

// What a reader has to know of the intervals, in lines.
std::string notes_on_intervals(const Scaling& scaling, std::size_t shown) {
    const auto is_unknown = [](const std::optional<Efficiency>& each) { return each && !is_known(*each); };
    bool unknown = std::ranges::any_of(scaling.application.efficiency, is_unknown);
    for (std::size_t row = 0; row < shown; ++row)
        unknown |= std::ranges::any_of(scaling.rows[row].efficiency, is_unknown);
    std::string text;
    if (std::ranges::all_of(scaling.runs, [](std::size_t runs) { return runs == 1; }))
        text +=
            "One run of each scale does not tell how much runs differ: a factor of two is taken for chance. Several "
            "runs tell more\n";
    if (unknown)
        text += "(?): not known, the ends of the 95 % interval differ by more than a factor of " +
                report::fixed(WidestInterval, 0) + '\n';
    return text;
}

} // namespace

Scaling scaling(std::vector<Profiles> scales, ScalingKind kind, const Judging& judging) {
    Scaling result{kind, {}, {}, {}, {"(application time)", {}, {}}, {}};
    for (const Profiles& runs : scales)
        for (std::string& sentence :
             incomplete_runs(runs, ranks_of(std::max<std::uint32_t>(runs.front().rank_count, 1))))
            result.incomplete.push_back(std::move(sentence));
    Measure measure;
    measure.by = kind == ScalingKind::Strong ? By::Sum : By::Mean;
    ScalingTable table(result, scales.size());
    result.application.efficiency.emplace_back(Efficiency());
    Runs runs{std::move(scales.front()), {}};
    for (std::size_t scale = 1; scale < scales.size(); ++scale) {
        runs[New] = std::move(scales[scale]);
        const CombinedTree tree = matched_tree(runs);
        const Comparison comparison = compare(runs, tree, measure, judging);
        if (scale == 1) {
            result.ranks.push_back(comparison.ranks[Base]);
            result.runs.push_back(comparison.runs[Base]);
            result.application.times.push_back(comparison.application[Base]);
        }
        result.ranks.push_back(comparison.ranks[New]);
        result.runs.push_back(comparison.runs[New]);
        result.application.times.push_back(comparison.application[New]);
        const double share =
            kind == ScalingKind::Weak ? 1 : static_cast<double>(comparison.ranks[Base]) / comparison.ranks[New];
        result.application.efficiency.push_back(efficiency_of(comparison.total, share));
        table.add(scale, comparison, RowNames(tree, false));
    }
    std::ranges::stable_sort(result.rows, {}, [](const ScalingRow& row) { return -row.lost(); });
    return result;
}

std::string scaling_text(const Scaling& scaling, std::size_t max_rows) {
    const bool strong = scaling.kind == ScalingKind::Strong;
    std::string text = std::string(strong ? "Strong" : "Weak") + " scaling from " + ranks_of(scaling.ranks.front()) +
                       " to " + ranks_of(scaling.ranks.back()) + ": efficiency " +
                       efficiency_text(scaling.application.efficiency.back()) + " %, application time " +
                       report::fixed(scaling.application.times.front(), 3) + " s, then " +
                       report::fixed(scaling.application.times.back(), 3) + " s";
    if (!scaling.rows.empty() && scaling.rows.front().lost() > 0)
        text += "; most is lost in " + report::fit(scaling.rows.front().name, report::NameWidth) + ": " +
                report::fixed(scaling.rows.front().lost(), 3) + (strong ? " s of all ranks" : " s of a rank");
    std::vector<std::string> titles{ranks_of(scaling.ranks.front()) + "[s]"};
    for (std::size_t scale = 1; scale < scaling.ranks.size(); ++scale) {
        titles.push_back(ranks_of(scaling.ranks[scale]) + "[s]");
        titles.emplace_back("efficiency[%]");
    }
    titles.insert(titles.end(), {"lost[s]", "Function"});
    report::TextTable table(titles);
    std::vector<std::string> first = cells_of(scaling.application);
    first[first.size() - 2] = report::NoValue; // that of a rank is no part of those of all
    table.add_row(std::move(first));
    const std::size_t shown =
        max_rows == 0 ? scaling.rows.size() : std::min<std::size_t>(max_rows, scaling.rows.size());
    for (std::size_t row = 0; row < shown; ++row)
        table.add_row(cells_of(scaling.rows[row]));
    text += "\n\n" + table.to_text();
    if (shown < scaling.rows.size())
        text += std::to_string(scaling.rows.size() - shown) + " more rows (--max-rows)\n";
    text +=
        strong
            ? "Times of functions are sums over ranks, which stay the same where the work does; with --weak those of a rank\n"
            : "Times are those of a rank on average, which stay the same where the work of each rank does\n";
    text += notes_on_intervals(scaling, shown);
    for (const std::string& sentence : scaling.incomplete)
        text += sentence + '\n';
    return text;
}

} // namespace vftr::compare
