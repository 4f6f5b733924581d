// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/waits_of.hpp"

#include <cstdint>
#include <string>

namespace vftr::report {

// The table of wait states and the call stacks that it names. profile: the one that waits_of
// completed. max_rows: 0 for all.
std::string make_waits(const analysis::Profile& profile, const analysis::Waits& waits,
                       std::int64_t max_rows);

} // namespace vftr::report
