// SPDX-License-Identifier: BSD-3-Clause
#include "record/one_time_work.hpp"

#include "record/off_cpu.hpp"
#include "record/reentrancy_guard.hpp"

#include <algorithm>

namespace vftr::record {

namespace {

// Ticks per frame: moving the frames takes as long as so short a time.
constexpr std::uint64_t LeastPerFrame = 4;

} // namespace

void cut_out_one_time_work(ThreadState& state, std::uint64_t begin, std::uint64_t end) {
    // No function can take less time than its callees. A part of this time may have been cut out before, as that of a
    // preemption that was found late.
    const vfd::Frame& top = *state.top;
    const std::uint64_t since = top.flags & vfd::FrameNotTimed || state.top == state.frames ? 0 : top.enter + top.child;
    if (end <= std::max(begin, since))
        return;
    const std::uint64_t ticks = end - std::max(begin, since);
    if (ticks / LeastPerFrame < static_cast<std::uint64_t>(state.top - state.frames))
        return;
    for (vfd::Frame* frame = state.frames + 1; frame <= state.top; ++frame)
        frame->enter += ticks;
    state.record->one_time_work += ticks;
}

// A preemption in the middle of the work is cut out as such at once: if it were found later, it would be cut out a
// second time, from the function's exclusive time. So the kernel is queried after each work that is long enough to
// contain one.
void charge_one_time_work(ThreadState& state, std::uint64_t begin) {
    std::uint64_t end = base::read_ticks();
    if (end - begin >= ShortestPreemption) {
        const std::uint64_t before = state.record->preempted;
        charge_off_cpu(state, end);
        end -= std::min(end - begin, state.record->preempted - before);
    }
    cut_out_one_time_work(state, begin, end);
}

namespace {

// Ticks that have been cut out of the frames. What was cut out while a OneTimeWork lived is charged already.
std::uint64_t cut_out_so_far(const ThreadState& state) { return state.record->one_time_work + state.record->preempted; }

} // namespace

OneTimeWork::OneTimeWork() : state_(materialized_thread()) {
    if (state_->guard != GuardReady) {
        state_ = nullptr;
        return;
    }
    top_ = state_->top;
    last_ = state_->record->last;
    charged_ = cut_out_so_far(*state_);
    begin_ = base::read_ticks();
}

OneTimeWork::~OneTimeWork() {
    if (!state_)
        return;
    const HeldGuard guard;
    if (recorded_thread() == state_ && state_->top == top_ && state_->record->last == last_)
        charge_one_time_work(*state_, begin_ + (cut_out_so_far(*state_) - charged_));
}

ThreadState* recorded_thread() {
    ThreadState& state = *current;
    return state.guard != GuardOff && state.recording_state == GuardReady ? &state : nullptr;
}

} // namespace vftr::record
