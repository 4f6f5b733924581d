// SPDX-License-Identifier: BSD-3-Clause
//
// A time or a size, as options have it that are about either.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace vftr::config {

// One of the two is 0.
struct Amount {
    double seconds;
    std::uint64_t bytes;
};

// "10 s", "500 ms", "2 min", "64 MiB", "1 GiB": a positive number, fractions allowed, and a unit, with or without a
// space between. From 1 ms and 1 MiB on, up to 10^6 s and 1 TiB.
std::optional<Amount> parse_amount(std::string_view text);
// What is wrong with a text that is no amount, as a clause.
const char* amount_fault(std::string_view text);
inline constexpr std::string_view allowed_amounts =
    "a time from 1 ms to 1000000 s in ms, s or min, such as \"10 s\", or a size from 1 MiB to 1 TiB in MiB or GiB, such as \"64 MiB\"";

} // namespace vftr::config
