// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <system_error>

namespace vftr::cli {

// Reads a number of the command line: all of the string, without spaces. Returns false, and leaves `number` unchanged,
// if it is no number or does not fit.
template <class Number>
bool parse_number(const char* text, Number& number) {
    const char* end = text + std::strlen(text);
    auto [stop, error] = std::from_chars(text, end, number);
    return error == std::errc{} && stop == end;
}

// Reads a number that is not negative and, behind it, one of the units; without one, the first of them counts. `result`
// is the number times the unit's factor, rounded.
struct Unit {
    std::string_view name;
    double factor;
};
inline bool parse_quantity(const char* text, std::span<const Unit> units, std::uint64_t& result) {
    const char* end = text + std::strlen(text);
    double number = 0;
    const auto [stop, error] = std::from_chars(text, end, number);
    if (error != std::errc{} || !(number >= 0))
        return false;
    const std::string_view name(stop, static_cast<std::size_t>(end - stop));
    for (const Unit& unit : units)
        if (name == unit.name || (name.empty() && &unit == units.data())) {
            const double quantity = number * unit.factor;
            if (!(quantity < 1e18))
                return false;
            result = static_cast<std::uint64_t>(std::llround(quantity));
            return true;
        }
    return false;
}

} // namespace vftr::cli
