// SPDX-License-Identifier: BSD-3-Clause
#include "compare/condition.hpp"

#include "report/number_text.hpp"
#include "report/rows.hpp"

#include <charconv>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <system_error>

namespace vftr::compare {

enum class Quantity { Time, Percent, Number };

// `of` is not a number where a row has no such value.
struct Column {
    std::string_view name;
    Quantity quantity;
    double (*of)(const Row& row, const Comparison& comparison);
    std::size_t percentile = Percentiles.size(); // of single calls, of which it is one
    bool of_calls = false;                       // of the number of calls, and not of times
};

namespace {

double change_of(const Row& row, const Comparison&) {
    return row.time[Base] > 0 ? 100 * (row.time[New] / row.time[Base] - 1) : std::nan("");
}
double calls_change_of(const Row& row, const Comparison&) {
    return row.calls[Base].most != 0
               ? 100 * (static_cast<double>(row.calls[New].most) / static_cast<double>(row.calls[Base].most) - 1)
               : std::nan("");
}

template <std::size_t side, std::size_t percentile>
double percentile_of(const Row& row, const Comparison& comparison) {
    const RowPercentiles* its = comparison.percentiles_of(row);
    return its && its->of[side].calls != 0 ? static_cast<double>(its->of[side].ns[percentile]) * 1e-9 : std::nan("");
}
template <std::size_t percentile>
double percentile_change_of(const Row& row, const Comparison& comparison) {
    const RowPercentiles* its = comparison.percentiles_of(row);
    if (its && its->are_in_both() && !its->differs(percentile))
        return 0;
    const double base = percentile_of<Base, percentile>(row, comparison);
    return base > 0 ? 100 * (percentile_of<New, percentile>(row, comparison) / base - 1) : std::nan("");
}

constexpr Column Columns[] = {
    {"base", Quantity::Time, [](const Row& row, const Comparison&) { return row.time[Base]; }},
    {"new", Quantity::Time, [](const Row& row, const Comparison&) { return row.time[New]; }},
    {"difference", Quantity::Time, [](const Row& row, const Comparison&) { return row.difference(); }},
    {"ratio", Quantity::Number,
     [](const Row& row, const Comparison&) { return row.interval ? row.interval->ratio : std::nan(""); }},
    {"low", Quantity::Number,
     [](const Row& row, const Comparison&) { return row.interval ? row.interval->low : std::nan(""); }},
    {"high", Quantity::Number,
     [](const Row& row, const Comparison&) { return row.interval ? row.interval->high : std::nan(""); }},
    {"change", Quantity::Percent, change_of},
    {"base_calls", Quantity::Number,
     [](const Row& row, const Comparison&) { return static_cast<double>(row.calls[Base].most); }, Percentiles.size(),
     true},
    {"new_calls", Quantity::Number,
     [](const Row& row, const Comparison&) { return static_cast<double>(row.calls[New].most); }, Percentiles.size(),
     true},
    {"calls_change", Quantity::Percent, calls_change_of, Percentiles.size(), true},
    {"base_median", Quantity::Time, percentile_of<Base, 0>, 0},
    {"new_median", Quantity::Time, percentile_of<New, 0>, 0},
    {"median_change", Quantity::Percent, percentile_change_of<0>, 0},
    {"base_p90", Quantity::Time, percentile_of<Base, 1>, 1},
    {"new_p90", Quantity::Time, percentile_of<New, 1>, 1},
    {"p90_change", Quantity::Percent, percentile_change_of<1>, 1},
    {"base_p99", Quantity::Time, percentile_of<Base, 2>, 2},
    {"new_p99", Quantity::Time, percentile_of<New, 2>, 2},
    {"p99_change", Quantity::Percent, percentile_change_of<2>, 2},
};

// How far the ratio is from 1, whichever way.
constexpr Column Distance{"", Quantity::Percent, [](const Row& row, const Comparison& comparison) {
                              return std::abs(change_of(row, comparison));
                          }};

struct UnitOf {
    std::string_view name;
    Quantity quantity;
    double factor;
};
constexpr UnitOf Units[] = {{"", Quantity::Time, 1},      {"s", Quantity::Time, 1},     {"ms", Quantity::Time, 1e-3},
                            {"us", Quantity::Time, 1e-6}, {"µs", Quantity::Time, 1e-6}, {"ns", Quantity::Time, 1e-9},
                            {"", Quantity::Percent, 1},   {"%", Quantity::Percent, 1},  {"", Quantity::Number, 1}};

[[noreturn]] void refuse_condition(std::string_view text, const std::string& why) {
    throw std::invalid_argument(std::string(text) + ": " + why);
}

double parse_limit(std::string_view text, std::string_view limit, Quantity quantity) {
    double number = 0;
    const auto [stop, error] = std::from_chars(limit.data(), limit.data() + limit.size(), number);
    const std::string_view unit = limit.substr(static_cast<std::size_t>(stop - limit.data()));
    if (error == std::errc() && std::isfinite(number))
        for (const UnitOf& known : Units)
            if (known.quantity == quantity && known.name == unit)
                return number * known.factor;
    refuse_condition(text, quantity == Quantity::Time      ? "a time is a number with s, ms, us or ns"
                           : quantity == Quantity::Percent ? "a change is a number with %"
                                                           : "a number is expected");
}

std::optional<Verdict> verdict_of(std::string_view name) {
    for (std::size_t i = 0; i < VerdictCount; ++i)
        if (verdict_name(static_cast<Verdict>(i)) == name)
            return static_cast<Verdict>(i);
    return std::nullopt;
}

std::string allowed_names() {
    std::string text = "a condition is one of slower, faster, same, not known, new and gone, or a column (";
    for (const Column& column : Columns)
        text += (&column == Columns ? "" : ", ") + std::string(column.name);
    return text + ") with > or < and a number, after an expression for functions with a colon if there is one";
}

} // namespace

Condition::Condition(std::string_view text) : text_(text) {
    std::string_view rest = text;
    if (const std::size_t colon = rest.rfind(':'); colon != rest.npos) {
        function_.emplace(rest.substr(0, colon));
        if (!function_->valid())
            refuse_condition(text, "the regular expression is wrong: " + function_->error());
        rest.remove_prefix(colon + 1);
    }
    const std::size_t sign = rest.find_first_of("<>");
    const std::string_view name = rest.substr(0, sign);
    verdict_ = verdict_of(name);
    if (sign == rest.npos) {
        if (!verdict_)
            refuse_condition(text, allowed_names());
        return;
    }
    above_ = rest[sign] == '>';
    // What is new has no size of a change, so that it is the time.
    if (verdict_ == Verdict::New)
        verdict_.reset();
    if (verdict_) {
        if (!above_)
            refuse_condition(text, "a verdict goes with > only");
        column_ = &Distance;
    }
    for (const Column& column : Columns)
        if (!verdict_ && column.name == name)
            column_ = &column;
    if (!column_)
        refuse_condition(text, allowed_names());
    limit_ = parse_limit(text, rest.substr(sign + 1), column_->quantity);
}

bool Condition::holds(const Row& row, const Comparison& comparison, const RowNames& names) const {
    if ((verdict_ && row.verdict != *verdict_) || (function_ && !function_->matches(names.function_of(row))))
        return false;
    if (!column_)
        return true;
    const double value = column_->of(row, comparison);
    return above_ ? value > limit_ : value < limit_;
}

std::string Condition::reason(const Row& row, const Comparison& comparison) const {
    const RowPercentiles* its = comparison.percentiles_of(row);
    if (its && column_ && column_->percentile < Percentiles.size()) {
        const auto text = [&](std::size_t side) {
            const CallPercentiles& of_side = its->of[side];
            return of_side.calls == 0 ? report::NoValue : report::duration_text(of_side.ns[column_->percentile]);
        };
        return " (" + text(Base) + ", then " + text(New) + ')';
    }
    if (column_ && column_->of_calls)
        return " (" +
               (row.calls[Base].most != 0 ? "calls " + change_text(1 + calls_change_of(row, comparison) / 100)
                                          : report::counted(row.calls[New].most, "call")) +
               ')';
    return row.interval ? " (" + change_text(row.interval->ratio) + ')' : "";
}

std::string rows_that_fail(const Condition& condition, const Comparison& comparison, const RowNames& names) {
    constexpr std::size_t Most = 10;
    std::string text;
    std::size_t count = 0;
    for (const Row& row : comparison.rows) {
        if (!condition.holds(row, comparison, names) || ++count > Most)
            continue;
        text += (text.empty() ? "" : ", ") + names.names().fitted(names.function_of(row), report::NameWidth);
        text += condition.reason(row, comparison);
    }
    if (count > Most)
        text += " and " + std::to_string(count - Most) + " more";
    return text.empty() ? text : condition.text() + ": " + text;
}

} // namespace vftr::compare
