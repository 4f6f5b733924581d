// SPDX-License-Identifier: BSD-3-Clause
#include "record/timing/one_time_work.hpp"

#include "record/timing/off_cpu.hpp"

#include <algorithm>

namespace vftr::record {

namespace {

// Ticks per frame: moving the frames takes as long as so short a time.
constexpr std::uint64_t LeastPerFrame = 4;

// A function that was entered in this event, or whose preemption was found late, has less time of its own than that: no
// function can take less time than its callees.
std::uint64_t own_time_of_top(const ThreadState& state) {
    const vfd::Frame& top = *state.top;
    if (top.flags & vfd::FrameNotTimed || state.top == state.frames)
        return ~std::uint64_t{0};
    const std::uint64_t now = base::read_ticks(), since = top.enter + top.child;
    return now > since ? now - since : 0;
}

void cut_out(ThreadState& state, std::uint64_t ticks) {
    ticks = std::min(ticks, own_time_of_top(state));
    if (ticks == 0 || ticks / LeastPerFrame < static_cast<std::uint64_t>(state.top - state.frames))
        return;
    for (vfd::Frame* frame = state.frames + 1; frame <= state.top; ++frame)
        frame->enter += ticks;
    state.record->one_time_work += ticks;
}

} // namespace

// A preemption in the middle of the work is cut out as such at once: if it were found later, it would be cut out a
// second time, from the function's exclusive time. So the kernel is queried after each work that is long enough to
// contain one. Often the thread loses its core in that query, when the work is over.
void charge_one_time_work(ThreadState& state, std::uint64_t begin) {
    const std::uint64_t end = base::read_ticks();
    if (end <= begin)
        return;
    std::uint64_t ticks = end - begin;
    if (ticks >= ShortestPreemption)
        ticks -= std::min(ticks, charge_off_cpu(state, end));
    cut_out(state, ticks);
}

std::uint64_t cut_out_so_far(const ThreadState& state) {
    return state.record->one_time_work + state.record->preempted + state.record->sampling;
}

} // namespace vftr::record
