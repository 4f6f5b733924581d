// SPDX-License-Identifier: BSD-3-Clause
//
// Sums over all call paths of a function. The root, which is not a function, has a group of its own, even if a function
// has the same name. Where a function occurs on a call path more than once, only its outermost occurrence counts for
// the inclusive time, so that no time counts twice.
#pragma once

#include "analysis/profile/profile.hpp"
#include "report/rows.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vftr::report {

struct FunctionGroup {
    Calls calls;
    std::uint64_t exclusive = 0, inclusive = 0;
    analysis::Uncertainty uncertainty;
    std::uint32_t paths = 0;
    std::uint32_t first_path = 0;
    bool excluded = false;                  // while the program ran, so that calls are missing
    bool waits = false;                     // no work of the program (analysis/profile/waiting.hpp)
    std::vector<std::uint32_t> shown_paths; // the paths with the lowest STIDs
};

// In the order of their first paths. Functions without calls and time have none. At most `most_shown` paths of each are
// listed.
std::vector<FunctionGroup> function_groups(const analysis::Profile& profile, std::size_t most_shown);

} // namespace vftr::report
