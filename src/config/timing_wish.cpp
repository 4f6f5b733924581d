// SPDX-License-Identifier: BSD-3-Clause
#include "config/timing_wish.hpp"

#include "config/check.hpp"

#include <charconv>
#include <system_error>

namespace vftr::config {

using Kind = TimingWish::Kind;

std::optional<TimingWish> parse_timing(std::string_view text) {
    if (text == "exact")
        return TimingWish{Kind::Exact};
    if (text == "adaptive")
        return TimingWish{Kind::Adaptive};
    if (text == "budget")
        return TimingWish{Kind::Budget};
    constexpr std::string_view Prefix = "budget=";
    if (!text.starts_with(Prefix))
        return std::nullopt;
    text.remove_prefix(Prefix.size());
    double budget = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), budget, std::chars_format::fixed);
    if (error != std::errc{} || end != text.data() + text.size() ||
        !(budget >= SmallestBudget && budget <= LargestBudget))
        return std::nullopt;
    return TimingWish{Kind::Budget, budget};
}

} // namespace vftr::config
