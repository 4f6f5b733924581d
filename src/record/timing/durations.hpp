// SPDX-License-Identifier: BSD-3-Clause
//
// How long the single calls of each call path take: a histogram in the file (vfd::CallDurations).
//
// Where profile_table.show_distribution is true, each new node gets the flag NodeDurations. The leave of a timed call
// looks at the flags of its node anyway, in one test, so that the hooks have no instruction more for this. With the
// flag the leave takes the slow path, which adds the call: a shift, a look-up of the record of its octave, most often
// that of the call before, and an addition. Before that a preemption is cut out of the call, so that the longest calls
// are not those in which something else had the core. A call of which it was a hundred times the rest is left out, as
// a preemption is not known that exactly. Direct recursion is one call here: what is not timed has no duration.
//
// Memory: 88 bytes for each path and each power of two that its durations have, so some hundred for most paths, and at
// most 5.5 KB, however many calls there are.
#pragma once

#include "record/hot/thread_state.hpp"

#include <cstdint>

namespace vftr::record {

// Adds a timed call that has just left and stands for so many. `cut_out`: ticks of preemptions that have just been cut
// out of it. Part of an event. Keeps errno.
void add_duration(ThreadState& state, const vfd::Frame& left, std::uint64_t now, std::uint64_t cut_out,
                  std::uint64_t calls);

} // namespace vftr::record
