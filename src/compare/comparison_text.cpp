// SPDX-License-Identifier: BSD-3-Clause
#include "compare/comparison_text.hpp"

#include "report/number_text.hpp"
#include "report/path_text.hpp"
#include "report/rows.hpp"
#include "report/text_table.hpp"

#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace vftr::compare {
namespace {

using report::fixed;
using report::NoValue;

constexpr std::size_t PathWidth = 160;

std::string interval_text(const RatioInterval& interval) {
    const auto text = [](double ratio) { return ratio < 1000 ? fixed(ratio, 3) : std::string(">999"); };
    return text(interval.low) + " .. " + text(interval.high);
}

std::string ratio_text(const RatioInterval& interval) {
    return interval.ratio < 1000 ? fixed(interval.ratio, 3) : ">999";
}

// Digits behind the point, so that small times of short programs are seen.
std::string time_text(double time) { return fixed(time, std::abs(time) < 0.01 ? 6 : 3); }

std::string number_of_runs(std::size_t runs) { return runs == 1 ? "one run" : std::to_string(runs) + " runs"; }

std::string runs_text(const Comparison& comparison) {
    const PerSide<std::size_t>& runs = comparison.runs;
    return comparison.paired                   ? std::to_string(runs[Base]) + " pairs of runs"
           : runs[Base] == 1 && runs[New] == 1 ? "one run each"
           : runs[Base] == runs[New]           ? number_of_runs(runs[Base]) + " each"
                                               : number_of_runs(runs[Base]) + " and " + number_of_runs(runs[New]);
}

std::string total_text(const Comparison& comparison) {
    if (!comparison.total)
        return "The application times are not known (" + runs_text(comparison) + ")";
    const RatioInterval& total = *comparison.total;
    const std::string change = fixed(100 * std::abs(total.ratio - 1), 1) + " %";
    std::string text = comparison.total_verdict == Verdict::Slower   ? "New is " + change + " slower"
                       : comparison.total_verdict == Verdict::Faster ? "New is " + change + " faster"
                       : comparison.total_verdict == Verdict::Same   ? "New is as fast as base"
                                                                   : "It is not known whether new is slower or faster";
    text += ": " + time_text(comparison.application[Base]) + " s, then " + time_text(comparison.application[New]) +
            " s (ratio " + ratio_text(total) + ", 95 % interval " + interval_text(total) + "; " +
            runs_text(comparison) + ")";
    return text;
}

class ComparisonTable {
public:
    ComparisonTable(const Comparison& comparison, const CombinedTree& tree)
        : comparison_(comparison), names_(tree, comparison.measure.paths), table_(titles(comparison)) {
        if (comparison.measure.paths)
            paths_.emplace(tree.paths(), names_.names(), PathWidth, static_cast<std::int64_t>(report::NameWidth));
    }

    void add(const Row& row) {
        std::vector<std::string> cells{time_text(row.time[Base]),
                                       time_text(row.time[New]),
                                       time_text(row.difference()),
                                       row.interval ? ratio_text(*row.interval) : NoValue,
                                       row.interval ? interval_text(*row.interval) : NoValue,
                                       row.runs[Base] == 0 ? NoValue : calls_text(row.calls[Base]),
                                       row.runs[New] == 0 ? NoValue : calls_text(row.calls[New]),
                                       std::string(verdict_name(row.verdict)),
                                       paths_ ? paths_->of(row.id)
                                              : names_.names().fitted(names_.function_of(row), report::NameWidth),
                                       names_.remark(row, comparison_)};
        table_.add_row(std::move(cells));
    }
    void append_to(std::string& text) const { table_.append_to(text); }

private:
    static std::vector<std::string> titles(const Comparison& comparison) {
        const std::string unit = '[' + comparison.unit + ']';
        return {"base" + unit, "new" + unit,    "diff." + unit,
                "ratio",       "95 % interval", "base calls",
                "new calls",   "verdict",       comparison.measure.paths ? "Call path" : "Function",
                "Remark"};
    }

    const Comparison& comparison_;
    RowNames names_;
    std::optional<report::PathText> paths_; // of a comparison of call paths
    report::TextTable table_;
};

// How long single calls take, a row for each function or call path of which that is known.
class PercentilesTable {
public:
    PercentilesTable(const Comparison& comparison, const CombinedTree& tree)
        : comparison_(comparison), names_(tree, comparison.measure.paths), table_(titles(comparison)) {
        if (comparison.measure.paths)
            paths_.emplace(tree.paths(), names_.names(), PathWidth, static_cast<std::int64_t>(report::NameWidth));
    }

    void add(const Row& row, const RowPercentiles& its) {
        std::vector<std::string> cells;
        for (std::size_t i = 0; i < Percentiles.size(); ++i) {
            for (const CallPercentiles& side : its.of)
                cells.push_back(side.calls == 0 ? NoValue : report::duration_text(side.ns[i]));
            cells.push_back(its.differs(i) ? difference_text(its.difference(i)) : NoValue);
        }
        for (const CallPercentiles& side : its.of)
            cells.push_back(side.calls == 0 ? NoValue : std::to_string(side.calls));
        cells.push_back(paths_ ? paths_->of(row.id)
                               : names_.names().fitted(names_.function_of(row), report::NameWidth));
        table_.add_row(std::move(cells));
    }
    void append_to(std::string& text) const { table_.append_to(text); }

private:
    static std::string difference_text(double ns) {
        return (ns < 0 ? "-" : "+") + report::duration_text(static_cast<std::uint64_t>(std::abs(ns)));
    }
    static std::vector<std::string> titles(const Comparison& comparison) {
        std::vector<std::string> all;
        for (const Percentile& percentile : Percentiles) {
            all.push_back(std::string("base ") + percentile.title);
            all.push_back(std::string("new ") + percentile.title);
            all.emplace_back("diff.");
        }
        all.insert(all.end(), {"base timed", "new timed", comparison.measure.paths ? "Call path" : "Function"});
        return all;
    }

    const Comparison& comparison_;
    RowNames names_;
    std::optional<report::PathText> paths_;
    report::TextTable table_;
};

std::string percentiles_text(const Comparison& comparison, const CombinedTree& tree, const TextOptions& options) {
    PercentilesTable table(comparison, tree);
    std::size_t shown = 0, cut = 0, small = 0;
    for (const Row& row : comparison.rows)
        if (const RowPercentiles* its = comparison.percentiles_of(row)) {
            if (!options.all && !row.calls_matter)
                ++small;
            else if (options.max_rows != 0 && shown == options.max_rows)
                ++cut;
            else {
                table.add(row, *its);
                ++shown;
            }
        }
    std::string text = "\nSingle calls\n";
    if (shown != 0)
        table.append_to(text);
    if (cut != 0)
        text += std::to_string(cut) + " more rows whose single calls differ (--max-rows)\n";
    if (small != 0)
        text += report::counted(small, "row") +
                " whose single calls do not differ by more than they are known to (--all)\n";
    return text;
}

} // namespace

std::vector<std::string> notes(const Comparison& comparison, const TextOptions& options) {
    std::vector<std::string> all = comparison.incomplete;
    if (comparison.runs[Base] == 1 && comparison.runs[New] == 1)
        all.push_back("One run each does not tell how much runs differ: up to a factor of " +
                      fixed(1 + options.noise, 2) +
                      " is taken for chance (--noise). Several runs a side tell more; vftr ab makes them");
    if (comparison.ranks[Base] != comparison.ranks[New])
        all.push_back("The sides have " + std::to_string(comparison.ranks[Base]) + " and " +
                      std::to_string(comparison.ranks[New]) + " ranks; " +
                      (comparison.measure.by == By::Sum ? "times are sums over them (--by=mean: of a rank on average)"
                       : comparison.measure.by == By::Mean ? "times are those of a rank on average"
                                                           : "times are those of the rank that has most"));
    if (!comparison.percentiles.empty())
        all.emplace_back(
            "Median, 90 % and 99 % of single calls: so many of those that were timed take at most so long, "
            "with all that they call. They are known within 20 %, and what runs differ in by chance is "
            "not known of them");
    return all;
}

std::string program_text(const std::vector<ProgramRow>& rows) {
    report::TextTable table({"base[s]", "new[s]", "ratio", "95 % interval", "verdict", "Whole program"});
    for (const ProgramRow& row : rows) {
        const std::optional<RatioInterval>& interval = row.series.interval;
        table.add_row({time_text(row.series.mean[Base]), time_text(row.series.mean[New]),
                       interval ? ratio_text(*interval) : NoValue, interval ? interval_text(*interval) : NoValue,
                       std::string(verdict_name(row.series.verdict)), row.name});
    }
    return table.to_text();
}

std::string answer(const Comparison& comparison) {
    std::string text = total_text(comparison) + ". ";
    const char* const what = comparison.measure.paths ? "call path" : "function";
    const auto number = [&](Verdict verdict) { return std::to_string(comparison.count(verdict)); };
    text += "Of " + report::counted(comparison.rows.size(), what) + ' ' + number(Verdict::Slower) + " slower, " +
            number(Verdict::Faster) + " faster, " + number(Verdict::Same) + " same, " + number(Verdict::NotKnown) +
            " not known";
    for (const Verdict verdict : {Verdict::New, Verdict::Gone})
        if (comparison.count(verdict) != 0)
            text += ", " + number(verdict) + ' ' + std::string(verdict_name(verdict));
    std::size_t calls = 0;
    for (const Row& row : comparison.rows)
        calls += row.calls_changed;
    if (calls != 0)
        text += "; " + std::to_string(calls) + (calls == 1 ? " has" : " have") + " another number of calls";
    return text;
}

std::string comparison_text(const Comparison& comparison, const CombinedTree& tree, const TextOptions& options) {
    std::string text = answer(comparison) + "\n";
    ComparisonTable table(comparison, tree);
    std::size_t shown = 0, cut = 0, small = 0;
    for (const Row& row : comparison.rows) {
        if (!options.all && !row.matters)
            ++small;
        else if (options.max_rows != 0 && shown == options.max_rows)
            ++cut;
        else {
            table.add(row);
            ++shown;
        }
    }
    if (shown != 0) {
        text += '\n';
        table.append_to(text);
    }
    if (cut != 0)
        text += std::to_string(cut) + " more rows that matter (--max-rows)\n";
    if (small != 0)
        text += report::counted(small, "row") + " without a finding (--all)\n";
    if (!comparison.percentiles.empty())
        text += percentiles_text(comparison, tree, options) + '\n';
    for (const std::string& note : notes(comparison, options))
        text += note + '\n';
    return text;
}

} // namespace vftr::compare
