// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace vftr::analysis {

// As std::llround of a number from 0 to 9e18, which is a call: a profile of many paths rounds ten numbers for each. The
// difference below is exact.
inline std::uint64_t rounded(double number) {
    const auto whole = static_cast<std::uint64_t>(number);
    return whole + (number - static_cast<double>(whole) >= 0.5 ? 1 : 0);
}

// A time as profiles keep it.
inline std::uint64_t whole_ns(double ns) {
    constexpr double Limit = 9e18; // a damaged clock must not overflow the conversion
    return ns > 0 ? rounded(std::min(ns, Limit)) : 0;
}

// A variance, of ns², as profiles keep it: µs², more rather than less.
inline std::uint64_t whole_us2(double ns2) {
    constexpr double Limit = 9e18;
    return ns2 > 0 ? static_cast<std::uint64_t>(std::ceil(std::min(ns2 * 1e-6, Limit))) : 0;
}

} // namespace vftr::analysis
