// SPDX-License-Identifier: BSD-3-Clause
#include "report/rows.hpp"

#include "report/number_text.hpp"

#include <algorithm>

namespace vftr::report {
namespace {

using Value = std::uint64_t (*)(const analysis::PathNode&, std::uint32_t id);

// The value to sort by, by column name; null: rows stay in their order.
Value value_of(const std::string& column) {
    using Node = const analysis::PathNode&;
    if (column == "time_excl")
        return [](Node node, std::uint32_t) { return node.exclusive; };
    if (column == "time_incl")
        return [](Node node, std::uint32_t) { return node.inclusive; };
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
        if (node.calls || node.exclusive || node.inclusive)
            candidates.push_back({value ? value(node, id) : 0, id});
    }
    return {std::move(candidates), context.config.profile_table_sort_table_ascending,
            context.config.profile_table_max_rows};
}

std::string rest_name(std::size_t rows) { return "(" + std::to_string(rows) + " more)"; }

namespace {

// Percent: smaller values would be shown as 0.0, larger ones have no meaning.
constexpr double SmallestShown = 0.05, HighestShown = 999.9;

constexpr const char* UnseenNote =
    "≈: functions that are called very often had their hooks in short windows only (timing budget); how often they were called, and in what time, is estimated "
    "from these. Calls ±[%]: the number is that near with a confidence of 95 %\n";

constexpr const char* UnhookedNote =
    "[object] function: code without hooks, with the time of its CPU samples; its calls are not counted\n";

std::string percent_text(double percent) {
    return percent > HighestShown ? ">" + fixed(HighestShown, 1) : fixed(percent, 1);
}

analysis::Uncertainty uncertainty_of(const analysis::PathNode& node) {
    analysis::Uncertainty uncertainty;
    uncertainty.add(node);
    return uncertainty;
}

bool has_unhooked_code(const analysis::Profile& profile) {
    return std::any_of(profile.nodes.begin(), profile.nodes.end(),
                       [](const auto& node) { return node.kind == analysis::NodeKind::Unhooked; });
}

} // namespace

bool shows_uncertainty(const analysis::Profile& profile) {
    constexpr double Worth = 1; // percent by which the cost of the hooks makes a time uncertain
    return std::any_of(profile.nodes.begin(), profile.nodes.end(), [&](const analysis::PathNode& node) {
        if (node.estimated || node.variance)
            return true;
        // Of what the hooks took altogether, nothing is left that could be large.
        const std::uint64_t matters = profile.summary.runtime_sum / 1000;
        return std::max(node.exclusive, node.unknown) > matters &&
               (node.exclusive == 0 || uncertainty_of(node).percent() >= Worth);
    });
}

bool compares_exclusive(const Context& context) { return context.config.profile_table_imbalances_of != "inclusive"; }
bool compares_inclusive(const Context& context) { return context.config.profile_table_imbalances_of != "exclusive"; }

std::string uncertainty_note(const Context& context) {
    return shows_uncertainty(context.profile) && !context.says(UncertaintyNote) ? UncertaintyNote : "";
}

std::string exclusive_note(const Context& context, const std::string& columns) {
    if (!compares_exclusive(context))
        return "";
    return columns + ": of t_excl, the time in the function itself" +
           (compares_inclusive(context) ? "\n" : "; profile_table.imbalances_of has those of t_incl\n");
}

std::string uncertainty_text(const analysis::PathNode& node) { return uncertainty_text(uncertainty_of(node)); }

std::string uncertainty_text(const analysis::Uncertainty& uncertainty) {
    const double percent = uncertainty.percent();
    if (uncertainty.exclusive == 0 ? uncertainty.variance == 0 && uncertainty.unknown == 0 : percent < SmallestShown)
        return NoValue;
    return percent_text(uncertainty.exclusive == 0 ? 2 * HighestShown : percent);
}

std::string Calls::text() const {
    if (uncounted && number == 0)
        return NoValue;
    return (unseen ? "≈" : "") + std::to_string(number);
}

bool has_unseen_calls(const analysis::Profile& profile) {
    return std::any_of(profile.nodes.begin(), profile.nodes.end(), [](const auto& node) { return node.unseen != 0; });
}

std::string calls_error_text(const Calls& calls) {
    return calls.unseen == 0 ? NoValue
                             : percent_text(100 * static_cast<double>(calls.unseen_error) /
                                            static_cast<double>(std::max<std::uint64_t>(calls.number, 1)));
}

std::string calls_notes(const Context& context) {
    std::string notes = has_unseen_calls(context.profile) && !context.says(UnseenNote) ? UnseenNote : "";
    if (has_unhooked_code(context.profile) && !context.says(UnhookedNote))
        notes += UnhookedNote;
    return notes;
}

std::size_t Footnotes::limit(const Context& context) const {
    return asked_.value_or(static_cast<std::size_t>(context.config.max_name_width));
}

std::string Footnotes::name(const Context& context, const std::string& text) {
    const std::size_t most = limit(context);
    if (most == 0 || width(text) <= most)
        return text;
    limit_ = most;
    return context.names.fitted(text, most, asked_ ? most : ShownNames::UsualBound);
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
    if (limit_ != 0)
        out +=
            "Names longer than " + std::to_string(limit_) +
            " characters are shortened: '…' and '...' stand for what is left out; #1, #2 tell names apart that read alike then, in the order of the full ones\n";
    return out;
}

std::size_t width_for_names(std::size_t one, std::size_t other, std::size_t room) {
    constexpr std::size_t Least = 16;
    const std::size_t shorter = std::min(one, other);
    // Where one is short, the other has what it leaves.
    return std::max(Least, shorter <= room / 2 ? room - shorter : room / 2);
}

TextTable fitting_table(const Context& context, Footnotes& footnotes, std::initializer_list<std::string_view> titles,
                        const std::function<TextTable()>& make) {
    TextTable table = make();
    if (table.width() <= WidestTable || context.config.max_name_width != config::Config().max_name_width)
        return table;
    const std::size_t one = table.width_of(*titles.begin()),
                      other = titles.size() < 2 ? 0 : table.width_of(*(titles.begin() + 1)),
                      others = table.width() - one - other;
    footnotes = Footnotes(width_for_names(one, other, WidestTable - std::min(WidestTable, others)));
    return make();
}

} // namespace vftr::report
