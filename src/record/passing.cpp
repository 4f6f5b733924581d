// SPDX-License-Identifier: BSD-3-Clause
#include "record/passing.hpp"

#include "record/frames.hpp"

namespace vftr::record {

void settle_passing(ThreadState& state, std::uint64_t hook) {
    vfd::Frame* frame = state.top + 1;
    frame->child = 0;
    frame->flags = vfd::FrameUntimed;
    ++state.nodes[frame->node].open;
    state.top = frame;
    publish_depth(state);
    state.record->passing = 0;
    asm volatile("" ::: "memory");
    state.gate = hook;
}

} // namespace vftr::record
