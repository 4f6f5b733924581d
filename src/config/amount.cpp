// SPDX-License-Identifier: BSD-3-Clause
#include "config/amount.hpp"

#include <charconv>

namespace vftr::config {
namespace {

struct Unit {
    std::string_view name;
    double seconds, bytes;
};
constexpr Unit Units[] = {{"ms", 1e-3, 0}, {"s", 1, 0}, {"min", 60, 0}, {"MiB", 0, 1 << 20}, {"GiB", 0, 1 << 30}};

constexpr double ShortestTime = 1e-3, LongestTime = 1e6, SmallestSize = 1 << 20, LargestSize = 1ull << 40;

} // namespace

std::optional<Amount> parse_amount(std::string_view text) {
    double number = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (error != std::errc{})
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.starts_with(' '))
        text.remove_prefix(1);
    for (const Unit& unit : Units)
        if (text == unit.name) {
            const double seconds = number * unit.seconds, bytes = number * unit.bytes;
            const bool good = unit.bytes == 0 ? seconds >= ShortestTime && seconds <= LongestTime : bytes >= SmallestSize && bytes <= LargestSize;
            return good ? std::optional(Amount{seconds, static_cast<std::uint64_t>(bytes)}) : std::nullopt;
        }
    return std::nullopt;
}

} // namespace vftr::config
