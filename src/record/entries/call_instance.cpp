// SPDX-License-Identifier: BSD-3-Clause
#include "record/entries/call_instance.hpp"

#include "record/hot/reentrancy_guard.hpp"

namespace vftr::record {

CallInstance innermost_call() {
    const ThreadState& state = *materialized_thread();
    if (state.guard == GuardOff)
        return {};
    const vfd::Frame* frame = state.top;
    std::uint32_t node = frame->node;
    while (frame->flags & vfd::FrameNotTimed)
        --frame;
    return {state.record->index, node, frame->enter};
}

} // namespace vftr::record
