// SPDX-License-Identifier: BSD-3-Clause
//
// How calls are to be timed from now on, as `vftr ctl` asks for it.
#pragma once

#include <optional>
#include <string_view>

namespace vftr::config {

// The names are those of the option "timing".
struct TimingWish {
    enum class Kind { Exact, Adaptive, Budget } kind;
    double budget = 0; // part of the CPU time; 0: that of the option "overhead_budget"
};

// Parses "exact", "adaptive", "budget" and "budget=X". Nothing: it is none of these, or X is not allowed.
std::optional<TimingWish> parse_timing(std::string_view text);
inline constexpr std::string_view allowed_timings = "exact, adaptive, budget, or budget=X with X from 0.001 to 1";

} // namespace vftr::config
