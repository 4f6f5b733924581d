// SPDX-License-Identifier: BSD-3-Clause
//
// A time or a size, for options that accept either.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace vftr::config {

// One of the two members is 0.
struct Amount {
    double seconds;
    std::uint64_t bytes;
};

// Parses "10 s", "500 ms", "2 min", "64 MiB", "1 GiB": a positive number, which may have a fraction, and a unit, with
// or without a space between. Times are from 1 ms to 10^6 s, sizes from 1 MiB to 1 TiB.
std::optional<Amount> parse_amount(std::string_view text);
// Returns what is wrong with a string that is no amount, as a clause.
const char* amount_fault(std::string_view text);
inline constexpr std::string_view allowed_amounts =
    "a time from 1 ms to 1000000 s in ms, s or min, such as \"10 s\", or a size from 1 MiB to 1 TiB in MiB or GiB, such as \"64 MiB\"";

} // namespace vftr::config
