// SPDX-License-Identifier: BSD-3-Clause
//
// The entry of the call tree to which a message, a construct or work for another thread belongs.
#pragma once

#include <cstdint>

namespace vftr::record {

// A call path and the time when it was entered.
struct CallInstance {
    std::uint32_t thread; // ThreadRecord::index
    std::uint32_t node;
    std::uint64_t enter; // ticks
};

// The innermost entry of the calling thread, which must be recorded (enter_named returned true, and its leave is still
// to come).
CallInstance innermost_call();

} // namespace vftr::record
