// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/system_call.hpp"

#include <ctime>

namespace vftr::base {

// Lets the calling thread sleep for at least this time, unless a signal handler runs. It is no cancellation point.
inline void sleep_microseconds(long microseconds) {
    const timespec time{microseconds / 1'000'000, microseconds % 1'000'000 * 1000};
    system_call(SYS_nanosleep, &time, nullptr);
}

} // namespace vftr::base
