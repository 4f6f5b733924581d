// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "record/hot/thread_state.hpp"

namespace vftr::record {

// Charges what the calling thread does in the lifetime of this object as one-time work, in code that is not a hook. The
// guard is not held: the dynamic linker, for example, may run the program's constructors meanwhile. If anything was
// recorded in between, nothing is charged.
class OneTimeWork {
public:
    OneTimeWork();
    ~OneTimeWork();
    OneTimeWork(const OneTimeWork&) = delete;
    OneTimeWork& operator=(const OneTimeWork&) = delete;

private:
    ThreadState* state_; // nullptr: the thread is not recorded now
    const vfd::Frame* top_;
    std::uint64_t begin_, last_, charged_; // ticks
};

} // namespace vftr::record
