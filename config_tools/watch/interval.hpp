// SPDX-License-Identifier: BSD-3-Clause
//
// The option --interval of verbs that look at a running program again and again.
#pragma once

#include "config_tools/option_number.hpp"
#include "config_tools/verb.hpp"

namespace vftr::cli {

inline constexpr double DefaultInterval = 1; // seconds

// Reads optarg. Returns 0, or the exit code of a wrong usage, which it has told.
inline int take_interval(const char* verb, double& seconds) {
    if (!parse_number(optarg, seconds) || !(seconds >= 0.1 && seconds <= 86400))
        return usage_error(verb, "--interval needs seconds from 0.1 to 86400, not ", optarg);
    return 0;
}

} // namespace vftr::cli
