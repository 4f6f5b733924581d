// SPDX-License-Identifier: BSD-3-Clause
#include "record/passing.hpp"

#include "record/frames.hpp"

namespace vftr::record {

bool settle_passing(ThreadState& state, std::uint64_t hook) {
    const std::uint64_t guard = state.guard;
    if (!(guard & PassingBit) || !exchange_guard(state, guard, hook))
        return false;
    vfd::Frame* frame = state.top + 1;
    frame->child = 0;
    frame->flags = vfd::FrameUntimed;
    ++state.nodes[frame->node].open;
    state.top = frame;
    publish_depth(state);
    state.record->passing = 0;
    return true;
}

void settle_passing(ThreadState& state) {
    while (is_passing(state))
        if (settle_passing(state, reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)))) {
            asm volatile("" ::: "memory");
            state.guard = GuardReady;
        }
}

} // namespace vftr::record
