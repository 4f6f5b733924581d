// SPDX-License-Identifier: BSD-3-Clause
#include "record/timing/living_threads.hpp"

#include "base/clock.hpp"
#include "base/cpu_time.hpp"
#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"
#include "record/threads/thread_records.hpp"

namespace vftr::record {

// A thread may still be in the hook that it was in when the recording ended, and ask the kernel itself. What it has
// then computed since it asked before, a tenth of a millisecond or so, may be added twice.
__attribute__((no_sanitize("thread"))) void take_cpu_of_living_threads() {
    if (!recorder.settings.cuts_preemptions_out)
        return;
    for (std::uint32_t index = 0; index < recorder.thread_count.load(std::memory_order_acquire); ++index) {
        const ThreadState* state = thread_of(index);
        if (!state || state == current || state->record->end != 0 || state->off_cpu.asked == 0)
            continue;
        const double cpu = base::thread_cpu_ns(state->record->tid),
                     ran = cpu - static_cast<double>(state->off_cpu.cpu_ns);
        if (cpu < 0 || ran < 0) // it has ended meanwhile
            continue;
        state->record->cpu_ns += static_cast<std::uint64_t>(ran);
        state->record->cpu_until = base::read_ticks();
    }
}

} // namespace vftr::record
