// SPDX-License-Identifier: BSD-3-Clause
#include "record/stream/duration_filter.hpp"

#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"
#include "record/stream/events.hpp"

#include <algorithm>

namespace vftr::record {

namespace {

std::uint32_t depth_of(const ThreadState& state, const vfd::Frame& frame) {
    return static_cast<std::uint32_t>(&frame - state.frames);
}

} // namespace

void put_enter_for_now(ThreadState& state, std::uint64_t now) {
    EntersAtEnd& last = state.enters_at_end;
    if (last.count != 0 && (last.enters[last.count - 1].end != state.event_next ||
                            last.enters[last.count - 1].sequence != state.event_sequence))
        last.count = 0; // something else was written to the stream since
    if (last.count == EntersAtEnd::Most)
        std::copy(last.enters + 1, last.enters + last.count--, last.enters);
    EntersAtEnd::Enter enter{state.event_next,
                             nullptr,
                             state.event_units,
                             state.top->enter,
                             depth_of(state, *state.top),
                             state.top->node,
                             state.event_node,
                             state.event_sequence,
                             state.prediction->before_enter()};
    put_enter(state, now);
    enter.end = state.event_next;
    last.enters[last.count++] = enter;
}

bool rewind_enter(ThreadState& state, const vfd::Frame& left, std::uint64_t now) {
    EntersAtEnd& last = state.enters_at_end;
    if (last.count == 0)
        return false;
    const EntersAtEnd::Enter& enter = last.enters[last.count - 1];
    if (now - enter.ticks >= recorder.min_duration_ticks.load(std::memory_order_relaxed))
        return false;
    if (enter.end != state.event_next || enter.sequence != state.event_sequence ||
        enter.depth != depth_of(state, left) || enter.path != left.node)
        return false;
    state.event_units = enter.units;
    state.event_node = enter.node;
    state.prediction->rewind(enter.prediction);
    end_event(state, enter.begin);
    --last.count;
    return true;
}

} // namespace vftr::record
