// SPDX-License-Identifier: BSD-3-Clause
//
// How calls are timed: by the configuration at the begin, and by `vftr ctl` later. A forked child goes on as its
// parent.
#pragma once

#include "config/config.hpp"
#include "config/timing_wish.hpp"

#include <string>

namespace vftr::session {

// Called when the file is there. A budget that cannot be kept is one line on stderr.
void begin_timing(const config::Config& config, bool forked);
// Called with the guard held. Returns why it cannot be; "": it is so now.
std::string change_timing(const config::TimingWish& wish);
// As the wish that leads to it is written.
std::string timing_now();

} // namespace vftr::session
