// SPDX-License-Identifier: BSD-3-Clause
//
// The call tree turned round: below each function its callers, with the time that it took when they called it. It
// answers "who calls what is expensive", where the tree itself tells "where the time goes".
#pragma once

#include "analysis/profile/profile.hpp"

#include <cstdint>

namespace vftr::exports {

// The root has the functions that have time of their own; `calls` are those of these functions, and inclusive times the
// times of theirs that were spent below the path. What takes less than `smallest` ns is not divided any further, which
// bounds the memory: of a tree that is thousands of calls deep, the whole would have millions of paths.
analysis::Profile reversed(const analysis::Profile& profile, std::uint64_t smallest);

} // namespace vftr::exports
