// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace vftr::symbols {

// Returns two lower-case digits for each byte, as in build-ids.
inline std::string hex_of(std::span<const std::uint8_t> bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (const auto byte : bytes) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

// Returns "0x" and lower-case digits without leading zeros, as in addresses.
inline std::string hex_of(std::uint64_t number) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    do {
        text.insert(text.begin(), digits[number & 15]);
        number >>= 4;
    } while (number != 0);
    return "0x" + text;
}

} // namespace vftr::symbols
