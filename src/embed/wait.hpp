// SPDX-License-Identifier: BSD-3-Clause
//
// The pause between two checks of a state that another thread is to change.
#pragma once

#include <ctime>
#include <sched.h>

namespace vftr::embed {

// Most callbacks are short, so the first hundred times the thread only yields the processor, and then it sleeps.
inline void wait_a_little(int tries, long nanoseconds) {
    if (tries < 100)
        sched_yield();
    else {
        const timespec while_it_runs{0, nanoseconds};
        nanosleep(&while_it_runs, nullptr);
    }
}

} // namespace vftr::embed
