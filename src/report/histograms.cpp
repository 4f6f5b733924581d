// SPDX-License-Identifier: BSD-3-Clause
#include "report/histograms.hpp"

#include "analysis/timeline/single_calls.hpp"
#include "report/distribution_text.hpp"
#include "report/number_text.hpp"
#include "report/path_text.hpp"
#include "report/rows.hpp"
#include "report/shown_names.hpp"
#include "report/text_table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

namespace vftr::report {
namespace {

using analysis::CallGroup;
using analysis::DurationClasses;
using analysis::DurationHistogram;

constexpr std::size_t MostDrawn = 10, MostLongest = 10, MostLines = 32, WidestBar = 50;
constexpr std::size_t PathWidth = 100, NameWidth = 60;

struct FunctionCalls {
    std::uint32_t name;      // index into Profile::names
    std::uint64_t calls = 0; // of the profile
    CallGroup group{};
};

// Of a histogram as it is drawn: the calls from this duration on, up to the next line.
struct HistogramLine {
    std::uint64_t begin, calls;
};

// As fine as there are lines for: a class each, or up to a power of two, or several.
std::vector<HistogramLine> lines_of(const DurationHistogram& durations) {
    const std::size_t first = durations.first_class(), end = durations.end_class();
    std::size_t step = 1;
    while ((end - 1) / step - first / step >= MostLines)
        step *= 2;
    std::vector<HistogramLine> lines;
    for (std::size_t number = first; number < end; ++number) {
        if (lines.empty() || number % step == 0)
            lines.push_back({DurationClasses::begin(number - number % step), 0});
        lines.back().calls += durations.count_of(number);
    }
    return lines;
}

std::string aligned(const std::string& text, std::size_t columns) {
    return std::string(columns - std::min(columns, width(text)), ' ') + text;
}

std::string drawn(const DurationHistogram& durations) {
    constexpr std::size_t Columns = 12, LeastLeftOut = 3; // lines without calls
    const std::vector<HistogramLine> lines = lines_of(durations);
    const std::uint64_t most = std::ranges::max_element(lines, {}, &HistogramLine::calls)->calls;
    std::string text = aligned("from", Columns) + aligned("calls", Columns) + '\n';
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const HistogramLine& line = lines[i];
        // The last line has calls, so that what is empty ends before it.
        const auto next = std::find_if(lines.begin() + static_cast<std::ptrdiff_t>(i), lines.end(),
                                       [](const HistogramLine& each) { return each.calls != 0; });
        const auto empty = static_cast<std::size_t>(next - lines.begin()) - i;
        if (empty >= LeastLeftOut) {
            text += aligned("...", Columns) + aligned("0", Columns) + '\n';
            i += empty - 1;
            continue;
        }
        text += aligned(duration_text(line.begin), Columns) + aligned(std::to_string(line.calls), Columns);
        if (line.calls != 0) {
            const double part = static_cast<double>(line.calls) / static_cast<double>(most);
            text += "  " + std::string(std::max<std::size_t>(1, static_cast<std::size_t>(part * WidestBar)), '#');
        }
        text += '\n';
    }
    return text;
}

class Histograms {
public:
    Histograms(const analysis::RunTimeline& run, const symbols::Pattern& wanted)
        : run_(run), by_timeline_(analysis::has_single_calls(run)), names_(run.paths()),
          paths_(run.paths(), names_, PathWidth, NameWidth) {
        std::vector<std::uint32_t> group_of(run.paths().nodes.size(), analysis::NoGroup);
        std::map<std::uint32_t, std::uint32_t> group_of_name;
        for (std::uint32_t path = 0; path < group_of.size(); ++path) {
            const analysis::PathNode& node = run.paths().nodes[path];
            if (!wanted.matches(names_.of(path)))
                continue;
            const auto [group, is_new] =
                group_of_name.try_emplace(node.name, static_cast<std::uint32_t>(functions_.size()));
            if (is_new)
                functions_.push_back({node.name});
            group_of[path] = group->second;
            functions_[group->second].calls += node.calls;
        }
        if (functions_.empty())
            throw std::runtime_error("no function of the run matches the expression");
        if (by_timeline_) {
            std::vector<CallGroup> groups = analysis::single_calls(run, group_of, functions_.size(), MostLongest);
            for (std::size_t i = 0; i < groups.size(); ++i)
                functions_[i].group = std::move(groups[i]);
        } else {
            for (const analysis::PathDurations& path : run.paths().durations)
                if (group_of[path.node] != analysis::NoGroup)
                    functions_[group_of[path.node]].group.durations.add(path.histogram);
        }
        std::ranges::stable_sort(functions_, std::ranges::greater(),
                                 [](const FunctionCalls& each) { return each.group.durations.sum(); });
    }

    std::string text() const {
        std::string text = "Durations of single calls\n" + table();
        text += by_timeline_ ? TimelineDistributionNote : DistributionNote;
        std::size_t drawn_ones = 0;
        for (const FunctionCalls& function : functions_)
            if (function.group.durations.count() != 0 && drawn_ones++ < MostDrawn)
                text += '\n' + names_.of_name(function.name) + "\n" + drawn(function.group.durations) +
                        (by_timeline_ ? "\nIts longest calls\n" + longest(function.group) : "");
        if (drawn_ones > MostDrawn)
            text += "\nThe other " + counted(drawn_ones - MostDrawn, "function") +
                    " are in the table only: the expression matches many\n";
        return text;
    }

private:
    std::string table() const {
        std::vector<std::string> titles{"Calls", by_timeline_ ? "In timeline" : "Known"};
        titles.insert(titles.end(), DistributionTitles.begin(), DistributionTitles.end());
        titles.push_back("Function");
        TextTable table(std::move(titles));
        for (const FunctionCalls& function : functions_) {
            const DurationHistogram& durations = function.group.durations;
            std::vector<std::string> cells = distribution_texts(&durations);
            cells.insert(cells.begin(), {std::to_string(function.calls), std::to_string(durations.count())});
            cells.push_back(names_.fitted(names_.of_name(function.name), NameWidth));
            table.add_row(std::move(cells));
        }
        return table.to_text();
    }

    std::string longest(const CallGroup& group) const {
        TextTable table({"Duration", "x median", "Rank", "Thread", "Begin[s]", "Call path"});
        const auto median = static_cast<double>(std::max<std::uint64_t>(1, group.durations.quantile(0.5)));
        for (const analysis::SingleCall& call : group.longest) {
            const analysis::RunThread& thread = run_.threads()[call.thread];
            table.add_row({duration_text(call.ns), fixed(static_cast<double>(call.ns) / median, 1),
                           std::to_string(run_.processes()[thread.process].rank), std::to_string(thread.index),
                           seconds(static_cast<double>(call.begin), 6), paths_.of(call.path)});
        }
        return table.to_text();
    }

    const analysis::RunTimeline& run_;
    const bool by_timeline_;
    const ShownNames names_;
    const PathText paths_;
    std::vector<FunctionCalls> functions_; // those with most time in their calls first
};

} // namespace

std::string make_histograms(const analysis::RunTimeline& run, const symbols::Pattern& functions) {
    if (!analysis::has_single_calls(run) && run.paths().durations.empty())
        throw std::runtime_error(
            "durations of single calls are not known: profile_table.show_distribution was not true "
            "when the program ran, and there is no timeline of all calls, as sampling.active and a "
            "sampling.sample_interval of 0 make one");
    return Histograms(run, functions).text();
}

} // namespace vftr::report
