// SPDX-License-Identifier: BSD-3-Clause
#include "record/timing/durations.hpp"

#include <algorithm>

namespace vftr::record {

void add_duration(ThreadState& state, const vfd::Frame& left, std::uint64_t now, std::uint64_t cut_out,
                  std::uint64_t calls) {
    using vfd::CallDurations;
    if (left.flags & (vfd::FrameNotTimed | vfd::FrameInherited))
        return;
    const std::uint64_t ticks = now > left.enter ? now - left.enter : 1;
    constexpr std::uint64_t MostCut = 100; // times what remains
    const std::uint64_t own = ticks > left.child ? ticks - left.child : 0;
    if (cut_out / MostCut > own || (cut_out != 0 && own == 0))
        return;
    CallDurations* durations = state.durations.at({left.node, CallDurations::octave_of(ticks)}, state.record->index);
    if (!durations) // no memory
        return;
    durations->shortest = durations->shortest == 0 ? ticks : std::min(durations->shortest, ticks);
    durations->longest = std::max(durations->longest, ticks);
    durations->calls[CallDurations::step_of(ticks)] += calls;
}

} // namespace vftr::record
