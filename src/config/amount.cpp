// SPDX-License-Identifier: BSD-3-Clause
#include "config/amount.hpp"

#include <charconv>
#include <cstddef>

namespace vftr::config {
namespace {

struct Unit {
    std::string_view name;
    double seconds, bytes;
};
constexpr Unit Units[] = {{"ms", 1e-3, 0}, {"s", 1, 0}, {"min", 60, 0}, {"MiB", 0, 1 << 20}, {"GiB", 0, 1 << 30}};

constexpr double ShortestTime = 1e-3, LongestTime = 1e6, SmallestSize = 1 << 20, LargestSize = 1ull << 40;

struct Parsed {
    Amount amount{};
    const char* fault = nullptr;
};

Parsed parse(std::string_view text) {
    double number = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (error != std::errc{})
        return {{}, "this does not begin with a number"};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.starts_with(' '))
        text.remove_prefix(1);
    for (const Unit& unit : Units)
        if (text == unit.name) {
            const double seconds = number * unit.seconds, bytes = number * unit.bytes;
            if (unit.bytes == 0 ? !(seconds >= ShortestTime) : !(bytes >= SmallestSize))
                return {{}, "this is too little"};
            if (unit.bytes == 0 ? seconds > LongestTime : bytes > LargestSize)
                return {{}, "this is too much"};
            return {{seconds, static_cast<std::uint64_t>(bytes)}, nullptr};
        }
    return {{}, text.empty() ? "the unit is missing" : "there is no such unit"};
}

} // namespace

std::optional<Amount> parse_amount(std::string_view text) {
    const Parsed parsed = parse(text);
    return parsed.fault ? std::nullopt : std::optional(parsed.amount);
}

const char* amount_fault(std::string_view text) { return parse(text).fault; }

} // namespace vftr::config
