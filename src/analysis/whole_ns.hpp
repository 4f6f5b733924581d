// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace vftr::analysis {

// A time as profiles keep it.
inline std::uint64_t whole_ns(double ns) {
    constexpr double Limit = 9e18; // a damaged clock must not overflow the conversion
    return ns > 0 ? static_cast<std::uint64_t>(std::llround(std::min(ns, Limit))) : 0;
}

// A variance, of ns², as profiles keep it: µs², more rather than less.
inline std::uint64_t whole_us2(double ns2) {
    constexpr double Limit = 9e18;
    return ns2 > 0 ? static_cast<std::uint64_t>(std::ceil(std::min(ns2 * 1e-6, Limit))) : 0;
}

} // namespace vftr::analysis
