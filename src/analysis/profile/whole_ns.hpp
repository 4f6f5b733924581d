// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace vftr::analysis {

// Same as std::llround for numbers from 0 to 9e18, but without a function call, as a profile rounds ten numbers for
// each of many paths. The difference below is exact.
inline std::uint64_t rounded(double number) {
    const auto whole = static_cast<std::uint64_t>(number);
    return whole + (number - static_cast<double>(whole) >= 0.5 ? 1 : 0);
}

// Rounds a time to the whole ns that profiles keep.
inline std::uint64_t whole_ns(double ns) {
    constexpr double Limit = 9e18; // a damaged clock must not overflow the conversion
    return ns > 0 ? rounded(std::min(ns, Limit)) : 0;
}

// Converts a variance from ns² to the whole µs² that profiles keep, rounded up.
inline std::uint64_t whole_us2(double ns2) {
    constexpr double Limit = 9e18;
    return ns2 > 0 ? static_cast<std::uint64_t>(std::ceil(std::min(ns2 * 1e-6, Limit))) : 0;
}

} // namespace vftr::analysis
