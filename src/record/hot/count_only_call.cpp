// SPDX-License-Identifier: BSD-3-Clause
#include "record/hot/count_only_call.hpp"

#include "record/hot/frames.hpp"
#include "record/threads/shared_thread.hpp"

namespace vftr::record {

bool materialize_frame(ThreadState& state, std::uint64_t hook) {
    const std::uint64_t guard = state.guard;
    if (!(guard & CountOnlyBit) || !exchange_guard(state, guard, hook))
        return false;
    vfd::Frame* frame = state.top + 1;
    frame->child = 0;
    frame->flags = vfd::FrameCountOnly;
    ++state.nodes[frame->node].open;
    state.top = frame;
    publish_depth(state);
    state.record->count_only_node = 0;
    return true;
}

void materialize_frame(ThreadState& state) {
    while (in_count_only_call(state))
        if (materialize_frame(state, reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)))) {
            asm volatile("" ::: "memory");
            state.guard = GuardReady;
        }
}

ThreadState* materialized_thread(ThreadState* state) {
    if (in_count_only_call(*state))
        materialize_frame(*state);
    return is_own(*state) ? state : &refused_state;
}

} // namespace vftr::record
