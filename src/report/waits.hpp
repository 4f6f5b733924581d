// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/timeline/waits_of.hpp"
#include "config/config.hpp"

#include <cstdint>
#include <string>

namespace vftr::report {

// The table of wait states, and the call stacks of its rows. `profile` is the one that waits_of() has completed.
// `max_rows` is 0 for all rows; `max_width` is the width of lines of call stacks, 0 for no limit.
std::string make_waits(const analysis::Profile& profile, const analysis::Waits& waits, std::int64_t max_rows,
                       std::int64_t max_width = config::Config().stacklist_max_width);

} // namespace vftr::report
