// SPDX-License-Identifier: BSD-3-Clause
#include "record/hot/frames.hpp"

#include "base/clock.hpp"
#include "record/budget/windowed.hpp"
#include "record/hot/enter_leave.hpp"
#include "record/hot/filter_decisions.hpp"
#include "record/hot/thread_state.hpp"
#include "record/observers.hpp"
#include "record/recorder.hpp"
#include "record/stacks/stacks.hpp"
#include "record/stream/events.hpp"
#include "record/timing/one_time_work.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace vftr::record {

using vfd::Frame;
using vfd::NodeKind;

namespace {

void use_stack_segment(ThreadState& state, vfd::SegmentHeader* segment) {
    std::size_t frames = (segment->capacity - segment->payload_offset) / sizeof(Frame);
    std::atomic_ref(segment->used).store(frames * sizeof(Frame), std::memory_order_release);
    state.stack_segment = segment;
    state.frames = vfd::payload<Frame>(segment);
    state.frames_end = state.frames + frames;
}

bool is_region(const ThreadState& state, const Frame* frame) {
    return state.nodes[frame->node].kind == NodeKind::Region;
}

// The innermost frame that may belong to a leave of `key` at `stack_pointer`; nullptr: none.
Frame* find_leaving(ThreadState& state, std::uint64_t key, std::uint64_t stack_pointer, bool jumped) {
    Frame *found = nullptr, *innermost = nullptr;
    for (Frame* frame = state.top; frame > state.frames; --frame) {
        if (state.nodes[frame->node].key != key)
            continue;
        if (!innermost)
            innermost = frame;
        if (!jumped && frame->stack_pointer >= stack_pointer)
            return frame;
        if (jumped && frame->stack_pointer < stack_pointer)
            found = frame; // the outermost frame within the machine frame that is gone
        if (jumped && frame->stack_pointer >= stack_pointer)
            break;
    }
    return found ? found : innermost;
}

// Counts the regions that the function of `frame` began and leaves open; they are directly above it.
unsigned open_regions_above(const ThreadState& state, const Frame* frame) {
    unsigned count = 0;
    while (frame + count < state.top && is_region(state, frame + count + 1))
        ++count;
    return count;
}

// Called before `frame` is removed from below others: returns how long the innermost timed call above it has been
// running. What count-only calls in between have noted about their timed callees is added to `frame`.
std::uint64_t time_of_timed_above(const ThreadState& state, Frame* frame, std::uint64_t now) {
    for (Frame* above = frame + 1; above <= state.top; ++above) {
        if (!(above->flags & vfd::FrameNotTimed))
            return now - above->enter;
        frame->child += std::exchange(above->child, 0);
    }
    return 0;
}

// Removes the call of a frame from its node's count. Calls that were entered before a fork count only in the parent.
void count_no_more(vfd::Node& node, const Frame& frame) {
    if (frame.flags & vfd::FrameInherited)
        return;
    --node.calls;
    node.folded -= (frame.flags & vfd::FrameFolded) != 0;
}

// Pops the frames of the regions and that of the function that leaves, and pushes the regions again above its caller,
// as if they had begun there: they keep their begin and all their time. The part of that time that falls into the
// function is time of its callees, not of its caller.
void leave_and_move_regions(ThreadState& state, unsigned regions, std::uint64_t now) {
    constexpr unsigned MostMoved = 64; // regions beyond this number end here
    while (regions > MostMoved) {
        vanish_frame(state, now);
        --regions;
    }
    Frame moved[MostMoved];
    std::uint64_t keys[MostMoved], within = 0;
    state.subscription.moving = true;
    for (unsigned i = regions; i-- > 0; --state.top) {
        log_leave_of_top(state, now);
        vfd::Node& node = state.nodes[state.top->node];
        moved[i] = *state.top;
        keys[i] = node.key;
        count_no_more(node, *state.top); // it will be counted in its new node
        --node.open;
        if (!(state.top->flags & vfd::FrameFolded))
            within = now - state.top->enter; // in the end, the time of the outermost one
    }
    state.subscription.moving = false;
    state.top->child += within;
    log_leave_of_top(state, now);
    pop_frame(state, end_of_call(state, *state.top, now));
    state.top->child -= within;
    state.subscription.moving = true;
    CallAddresses addresses{state.top->stack_pointer, state.top->call_site, 0};
    std::uint64_t hook = state.guard;
    const std::uint64_t before = cut_out_so_far(state);
    for (unsigned i = 0; i < regions; ++i) {
        take_slow_path_if_subscribed(state);
        // With a given time, as the frames that are here must not be moved.
        enter(state, keys[i], NodeKind::Region, addresses, now);
        // What is cut out of the caller now lies in the region's time, too: a preemption that is found late was before
        // `now`, and the one-time work of this enter comes after it.
        const std::uint64_t own = base::read_ticks() - moved[i].enter - moved[i].child;
        state.top->enter = moved[i].enter + std::min(cut_out_so_far(state) - before, own);
        // The region around it has been moved by all of the one-time work of this enter, however short it was.
        if (i > 0)
            state.top->enter = std::max(state.top->enter, state.top[-1].enter);
        state.top->child = moved[i].child;
        if (moved[i].flags & vfd::FrameInherited) {
            count_no_more(state.nodes[state.top->node], *state.top);
            state.top->flags |= vfd::FrameInherited;
        }
        hold_guard(state, hook); // the enter is complete, the leave is not
    }
    state.subscription.moving = false;
}

} // namespace

void create_frames(ThreadState& state, vfd::SegmentHeader* first) {
    use_stack_segment(state, first);
    state.record->stack_sequence = first->sequence;
    state.top = state.frames;
    *state.top = {TopOfStack, 0, 0, 0, 0, 0, 0};
}

Frame* grow_frames(ThreadState& state) {
    vfd::SegmentHeader* old = state.stack_segment;
    std::size_t depth = static_cast<std::size_t>(state.top - state.frames);
    vfd::SegmentHeader* segment =
        recorder.writer.allocate(vfd::SegmentKind::Stack, state.record->index, old->sequence + 1, 2 * old->used);
    if (!segment)
        return nullptr;
    std::memcpy(vfd::payload<Frame>(segment), state.frames, (depth + 1) * sizeof(Frame));
    use_stack_segment(state, segment);
    state.top = state.frames + depth;
    __atomic_store_n(&state.record->stack_sequence, segment->sequence, __ATOMIC_RELEASE);
    vfd::Writer::discard(old);
    recorder.writer.retire(old);
    return state.top + 1;
}

void log_leave_of_top(ThreadState& state, std::uint64_t now, bool vanished) {
    if (state.top->flags & vfd::FrameReported) {
        state.top->flags &= ~std::uint32_t{vfd::FrameReported};
        observers.dispatch_leave(state, *state.top, now, vanished);
    }
    if (!(state.top->flags & vfd::FrameLogged))
        return;
    if (state.recording_state == GuardPaused) // the innermost enter of the stream is that of the pause
        log_leave_of(state, state.top->node, now);
    else
        log_leave(state, now);
}

void vanish_frame(ThreadState& state, std::uint64_t now) {
    log_leave_of_top(state, now, true);
    state.record->vanished += !is_stale(state, *state.top);
    pop_frame(state, end_of_call(state, *state.top, now));
}

void drop_dead_frames(ThreadState& state, std::uint64_t stack_pointer, std::uint32_t call_site,
                      std::uint32_t hook_site) {
    if (!on_current_stack(state, stack_pointer))
        return; // the frames of that stack are not known
    // In most cases none is dead (an inlined function begins), so the clock is read only for each dead frame. Functions
    // that a signal handler on an alternate stack has interrupted are alive.
    while (state.top->stack_pointer < stack_pointer && on_current_stack(state, state.top->stack_pointer))
        vanish_frame(state, base::read_ticks());
    while (call_site != 0 && state.top->stack_pointer == stack_pointer && state.top->call_site != 0 &&
           state.top->call_site != call_site)
        vanish_frame(state, base::read_ticks());
    for (Frame* frame = state.top; hook_site != 0 && frame->stack_pointer == stack_pointer; --frame)
        if (frame->hook_site == hook_site) {
            while (state.top >= frame)
                vanish_frame(state, base::read_ticks());
            break;
        }
    publish_depth(state);
}

void drop_stale_frames(ThreadState& state) {
    while (is_stale(state, *state.top))
        vanish_frame(state, base::read_ticks());
    publish_depth(state);
}

void leave_inner_frame(ThreadState& state, std::uint64_t key, std::uint64_t stack_pointer, bool jumped,
                       std::uint64_t now) {
    Frame* frame = find_leaving(state, key, stack_pointer, jumped);
    if (!frame) {
        // For a function that is not recorded, only the enter hook may have been patched out of the code yet. The next
        // leave then finds the node.
        if (key <= vfd::AddressMask && is_unrecorded(state, state.top->node, key))
            create_callee(state, state.top->node, key, NodeKind::Function);
        else
            state.record->unmatched += !was_windowed(key);
        return;
    }
    unsigned regions = open_regions_above(state, frame);
    while (state.top > frame + regions)
        vanish_frame(state, now);
    leave_and_move_regions(state, regions, now);
    state.record->last = now;
    publish_depth(state);
}

// Removes a frame from the middle of the shadow stack; the frames above it continue as callees of the frame below.
Left leave_named_frame(ThreadState& state, std::uint64_t key, std::uint64_t now) {
    Frame* frame = state.top;
    while (frame > state.frames && state.nodes[frame->node].key != key)
        --frame;
    if (frame == state.frames)
        return Left::NotOpen;
    bool crossed = false;
    if (frame == state.top) {
        log_leave_of_top(state, now);
        pop_frame(state, now);
    } else {
        if (frame->flags & vfd::FrameReported)
            observers.dispatch_leave(state, *frame, now, false);
        if (frame->flags & vfd::FrameLogged)
            log_leave_of(state, frame->node, now);
        vfd::Node& node = state.nodes[frame->node];
        if (frame->flags & vfd::FrameFolded) {
            frame[-1].child += frame->child;
            --node.open;
        } else {
            std::uint64_t duration = now - frame->enter;
            std::uint64_t going_on = time_of_timed_above(state, frame, now); // is charged when that frame leaves
            node.exclusive += duration - frame->child - going_on;
            if (--node.open == 0)
                node.inclusive += duration;
            frame[-1].child += duration - going_on;
        }
        for (const Frame* above = frame + 1; above <= state.top; ++above)
            crossed |= is_region(state, above);
        std::memmove(frame, frame + 1, static_cast<std::size_t>(state.top - frame) * sizeof(Frame));
        --state.top;
    }
    state.record->last = now;
    publish_depth(state);
    return crossed ? Left::Crossed : Left::Matched;
}

} // namespace vftr::record
