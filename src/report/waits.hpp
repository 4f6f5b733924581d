// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/waits_of.hpp"
#include "config/config.hpp"

#include <cstdint>
#include <string>

namespace vftr::report {

// The table of wait states and the call stacks that it names. profile: the one that waits_of
// completed. max_rows: 0 for all; max_width: of lines of call stacks, 0 for whole ones.
std::string make_waits(const analysis::Profile& profile, const analysis::Waits& waits, std::int64_t max_rows,
                       std::int64_t max_width = config::Config().stacklist_max_width);

} // namespace vftr::report
