// SPDX-License-Identifier: BSD-3-Clause
//
// Between two looks at what another thread is to do.
#pragma once

#include <ctime>
#include <sched.h>

namespace vftr::embed {

// Most callbacks are short, so the first hundred times only the processor is offered to others, and then the thread
// sleeps.
inline void wait_a_little(int tries, long nanoseconds) {
    if (tries < 100)
        sched_yield();
    else {
        const timespec while_it_runs{0, nanoseconds};
        nanosleep(&while_it_runs, nullptr);
    }
}

} // namespace vftr::embed
