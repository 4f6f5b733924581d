// SPDX-License-Identifier: BSD-3-Clause
#include "report/rows.hpp"

#include "report/text.hpp"

#include <algorithm>

namespace vftr::report {
namespace {

using Value = std::uint64_t (*)(const analysis::PathNode&, std::uint32_t id);

// By column name; null: as they come.
Value value_of(const std::string& column) {
    using Node = const analysis::PathNode&;
    if (column == "time_excl")
        return [](Node node, std::uint32_t) { return node.exclusive.sum; };
    if (column == "time_incl")
        return [](Node node, std::uint32_t) { return node.inclusive.sum; };
    if (column == "calls")
        return [](Node node, std::uint32_t) { return node.calls; };
    if (column == "overhead")
        return [](Node node, std::uint32_t) { return node.overhead; };
    if (column == "stack_id")
        return [](Node, std::uint32_t id) { return std::uint64_t{id}; };
    return nullptr;
}

} // namespace

Rows::Rows(std::vector<Candidate> candidates, bool ascending, std::int64_t max_rows)
    : all_(std::move(candidates)), shown_(all_.size()) {
    if (max_rows > 0 && static_cast<std::uint64_t>(max_rows) < shown_)
        shown_ = static_cast<std::size_t>(max_rows);
    std::partial_sort(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(shown_), all_.end(),
                      [ascending](const Candidate& a, const Candidate& b) {
                          if (a.value != b.value)
                              return ascending ? a.value < b.value : a.value > b.value;
                          return a.id < b.id;
                      });
}

Rows call_path_rows(const Context& context) {
    const std::vector<analysis::PathNode>& nodes = context.profile.nodes;
    Value value = value_of(context.config.profile_table_sort_table_column);
    std::vector<Candidate> candidates;
    candidates.reserve(nodes.size());
    for (std::uint32_t id = 0; id < nodes.size(); ++id) {
        const analysis::PathNode& node = nodes[id];
        if (node.calls || node.exclusive.sum || node.inclusive.sum)
            candidates.push_back({value ? value(node, id) : 0, id});
    }
    return {std::move(candidates), context.config.profile_table_sort_table_ascending,
            context.config.profile_table_max_rows};
}

std::string rest_name(std::size_t rows) {
    return "(" + std::to_string(rows) + " more)";
}

bool has_estimates(const analysis::Profile& profile) {
    return std::any_of(profile.nodes.begin(), profile.nodes.end(), [](const analysis::PathNode& node) { return node.estimated || node.variance; });
}

std::string uncertainty_text(std::uint64_t exclusive, std::uint64_t variance) {
    constexpr double Highest = 999.9; // more tells nothing
    if (variance == 0)
        return NoValue;
    const double percent = analysis::uncertainty(exclusive, variance);
    return exclusive == 0 || percent > Highest ? ">" + fixed(Highest, 1) : fixed(percent, 1);
}

std::string Footnotes::name(const std::string& text) {
    std::string cell = fit(text, NameWidth);
    shortened_ |= width(text) > NameWidth;
    return cell;
}

std::string Footnotes::mark(const Context& context, std::uint32_t node) {
    if (context.on_every_rank(node))
        return "";
    absent_ = true;
    return "*";
}

std::string Footnotes::text() const {
    std::string out;
    if (absent_)
        out += "* not called on every rank; where it was not, its time counts as 0\n";
    if (shortened_)
        out += "Names longer than " + std::to_string(NameWidth) +
               " characters are shortened in the middle: '...'\n";
    return out;
}

} // namespace vftr::report
