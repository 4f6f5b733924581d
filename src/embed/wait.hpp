// SPDX-License-Identifier: BSD-3-Clause
//
// The pause between two checks of a state that another thread is to change.
#pragma once

#include "base/sleep.hpp"

#include <sched.h>

namespace vftr::embed {

// Most callbacks are short, so the first hundred times the thread only yields the processor, and then it sleeps.
inline void wait_a_little(int tries, long microseconds) {
    if (tries < 100)
        sched_yield();
    else
        base::sleep_microseconds(microseconds);
}

} // namespace vftr::embed
