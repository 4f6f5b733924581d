// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "config.h"

namespace vftr::cli {

// What verbs say that need the comparison of runs (HAVE_BOOST_MATH).
inline constexpr const char* ComparisonNotBuilt =
    "vftrace was built without the comparison of runs: it needs Boost.Math";

} // namespace vftr::cli
