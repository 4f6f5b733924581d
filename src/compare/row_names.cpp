// SPDX-License-Identifier: BSD-3-Clause
#include "compare/row_names.hpp"

#include "report/number_text.hpp"

#include <algorithm>
#include <cstddef>

namespace vftr::compare {

std::vector<std::string> RowNames::path(std::uint32_t place) const {
    std::vector<std::string> functions;
    for (;; place = tree_.parent(place)) {
        functions.push_back(function_name(tree_.function(place)));
        if (place == 0)
            break;
    }
    std::ranges::reverse(functions);
    return functions;
}

std::string RowNames::renamed_from(const Row& row) const {
    const std::uint32_t from = tree_.renamed_from(function(row));
    return from == Nowhere ? std::string() : function_name(from);
}

std::string RowNames::moved_from(const Row& row) const {
    const std::uint32_t from = paths_ ? tree_.moved_from(row.id) : Nowhere;
    return from == Nowhere ? std::string() : function_name(tree_.function(tree_.parent(from)));
}

std::string RowNames::perhaps_inlined(const Row& row) const {
    return row.perhaps_inlined == Nowhere ? std::string() : function_name(row.perhaps_inlined);
}

std::string RowNames::calls_change(const Row& row, const Comparison& comparison) const {
    if (!row.calls_changed || row.calls[Base].most == 0)
        return "";
    const double before = static_cast<double>(row.calls[Base].most) / comparison.ranks[Base];
    return change_text(static_cast<double>(row.calls[New].most) / comparison.ranks[New] / before);
}

std::string RowNames::remark(const Row& row, const Comparison& comparison) const {
    std::string text;
    const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (const std::string from = renamed_from(row); !from.empty())
        add("renamed: was " + names_.fitted(from, report::NameWidth));
    if (const std::string from = moved_from(row); !from.empty())
        add("moved: was called by " + names_.fitted(from, report::NameWidth));
    for (std::size_t side = 0; side < row.runs.size(); ++side)
        if (row.runs[side] != 0 && row.runs[side] != comparison.runs[side])
            add("in " + std::to_string(row.runs[side]) + " of " + std::to_string(comparison.runs[side]) +
                (side == Base ? " base runs" : " new runs"));
    if (const std::string callee = perhaps_inlined(row); !callee.empty())
        add((row.verdict == Verdict::Slower ? "perhaps has " : "perhaps had ") +
            names_.fitted(callee, report::NameWidth) + " inlined");
    if (const std::string change = calls_change(row, comparison); row.calls_changed)
        add(change.empty() ? "calls" : "calls " + change);
    return text;
}

std::string joined_path(const std::vector<std::string>& functions) {
    std::string text;
    for (std::string function : functions) {
        std::ranges::replace(function, ';', ',');
        text += (text.empty() ? "" : ";") + function;
    }
    return text;
}

std::string calls_text(const CallsOfRuns& calls) {
    std::string text = calls.estimated ? "≈" : "";
    text += std::to_string(calls.least);
    return calls.least == calls.most ? text : text + ".." + std::to_string(calls.most);
}

std::string change_text(double ratio) {
    const double percent = 100 * (ratio - 1);
    return (percent >= 0 ? "+" : "") + report::fixed(percent, 1) + " %";
}

} // namespace vftr::compare
