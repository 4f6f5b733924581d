// SPDX-License-Identifier: BSD-3-Clause
//
// The option --interval of verbs that look at a running program again and again.
#pragma once

#include "config_tools/option_number.hpp"
#include "config_tools/syntax/syntax.hpp"

namespace vftr::cli {

inline constexpr double DefaultInterval = 1; // seconds

inline Take take_interval(double& seconds) {
    return [&seconds](const Given& given) {
        double value = 0;
        if (!parse_number(given.value, value) || !(value >= 0.1 && value <= 86400))
            return given.refuse("needs seconds from 0.1 to 86400");
        seconds = value;
        return 0;
    };
}

} // namespace vftr::cli
