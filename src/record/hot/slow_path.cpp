// SPDX-License-Identifier: BSD-3-Clause
//
// The slow path of an event. It is taken once per sample interval, from time to time without samples, at every event
// where all events are recorded, and when another thread has requested it, for example for a pause.
#include "record/hot/slow_path.hpp"
#include "base/errno_preserved.hpp"
#include "record/control.hpp"
#include "record/hot/decision_update.hpp"
#include "record/hot/enter_leave.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/hot/thread_state.hpp"
#include "record/modules/unload.hpp"
#include "record/observers.hpp"
#include "record/pause.hpp"
#include "record/recorder.hpp"
#include "record/samples/samples.hpp"
#include "record/stream/events.hpp"
#include "record/timing/adaptive.hpp"
#include "record/timing/durations.hpp"
#include "record/timing/hook_costs.hpp"
#include "record/timing/off_cpu.hpp"
#include "record/timing/one_time_work.hpp"

#include <algorithm>

namespace vftr::record {

namespace {

constexpr std::uint64_t FirstRefresh = 1 << 18; // ticks: about 0.1 ms
// About 20 µs: for sample_timing_if_short, exclude_if_tiny_and_hot and look_for_preemption.
constexpr std::uint64_t SlowPathStep = 1 << 16;
constexpr std::uint64_t LastRefresh = 1 << 28; // about 0.1 s

bool slow_path_is_frequent() {
    return recorder.timing.adaptive.load(std::memory_order_relaxed) || recorder.settings.too_hot ||
           recorder.settings.cuts_preemptions_out;
}

// Decides whether the event at `now` goes into the file's stream, and sets the next slow-path deadline.
bool wants_sample(ThreadState& state, std::uint64_t now, bool precise) {
    if (state.stream & StreamAll)
        return true;
    state.slow_path_deadline = state.is_shared ? 0 : state.refresh_deadline.ticks();
    if (slow_path_is_frequent())
        state.slow_path_deadline = std::min(state.slow_path_deadline.ticks(), now + SlowPathStep);
    if (!(state.stream & StreamSamples))
        return false;
    bool sample = precise;
    if (recorder.settings.sampling) {
        std::uint64_t interval = recorder.interval_ticks.load(std::memory_order_relaxed);
        if (interval != 0) {
            if (state.sample_deadline == 0)
                state.sample_deadline = state.record->begin + interval;
            if (now >= state.sample_deadline) {
                sample = true;
                state.sample_deadline = now + interval;
            }
            state.slow_path_deadline = std::min(state.slow_path_deadline.ticks(), state.sample_deadline);
        }
    }
    return sample;
}

void log_leave(ThreadState& state, const vfd::Frame& left, std::uint64_t now) {
    if (!(state.stream & StreamDurationFilter) || !rewind_enter(state, left, now))
        log_leave(state, now, &left);
}

void log_sampled_leave(ThreadState& state, const vfd::Frame& left, std::uint64_t now) {
    if (!(state.stream & StreamDurationFilter) || !rewind_enter(state, left, now))
        log_leave_of(state, left.node, now);
}

// The time of the sample is not time of the running functions: it would make a sampled call an outlier, and several of
// them a property of its path.
void sample_costs(ThreadState& state, std::uint64_t now) {
    std::uint64_t taken = sample_hook_costs(now);
    if (taken == 0)
        return;
    // A preemption within the sample would be cut out a second time when it is found later.
    if (taken >= ShortestPreemption)
        taken -= std::min(taken, charge_off_cpu(state, base::read_ticks()));
    for (vfd::Frame* frame = state.frames + 1; frame <= state.top; ++frame)
        frame->enter += taken;
    state.record->sampling += taken;
}

// Nor is what it takes that the kernel begins to sample the thread.
void begin_to_sample(ThreadState& state) {
    const std::uint64_t begin = base::read_ticks();
    if (begin_samples(state))
        charge_one_time_work(state, begin);
}

void read_clocks(ThreadState& state, std::uint64_t now) {
    refresh_clock();
    if (!state.is_shared) // the other process would record into the state of the samples
        sample_costs(state, now);
    begin_to_sample(state);
    state.clock_step = std::clamp(2 * state.clock_step, FirstRefresh, LastRefresh);
    state.clock_deadline = now + state.clock_step;
}

// What a command from outside takes is no time of the program.
void obey_if_asked(ThreadState& state) {
    if (!is_asked())
        return;
    const std::uint64_t begin = base::read_ticks();
    observers.obey_control();
    charge_one_time_work(state, begin);
}

// From time to time: reads the clocks, and looks for a requested pause, unloaded modules and changed subscriptions.
void poll_requests(ThreadState& state, std::uint64_t now) {
    if (now >= state.refresh_deadline.ticks()) {
        if (now >= state.clock_deadline) {
            read_clocks(state, now);
            obey_if_asked(state);
        }
        const bool no_other_deadline = slow_path_is_frequent() && state.stream & (StreamAll | StreamFunctions);
        // A thread that pauses the others or unloads a module publishes that first and then resets this deadline.
        state.refresh_deadline.set_before_loads(no_other_deadline ? now + SlowPathStep : state.clock_deadline);
        pause_if_asked(state, now);
        forget_unloaded_if_any(state);
        observers.follow_subscriptions(state, now);
        if (recorder.phase.load(std::memory_order_relaxed) == Phase::Ended)
            state.recording_state = GuardOff;
    }
    if (state.stream & StreamFunctions)
        state.slow_path_deadline = 0;
}

bool is_subscribed(const ThreadState& state, const vfd::Frame& frame) {
    return state.stream & (state.nodes[frame.node].kind == vfd::NodeKind::Function ? StreamFunctions : StreamNamed);
}

// The cases other than a plain event in a stream of all events.
VFTR_COLD void full_slow_path_enter(ThreadState& state, std::uint64_t now) {
    if (forget_unloaded_if_any(state))
        correct_entered_path(state);
    look_for_samples(state, state.top[-1].node);
    look_for_preemption(state, *state.top, now);
    if (wants_sample(state, now, state.nodes[state.top->node].flags & vfd::NodePrecise))
        log_enter(state, now);
    poll_requests(state, now);
    if (is_subscribed(state, *state.top))
        observers.dispatch_enter(state, now);
    follow_decisions_if_changed(state, now);
    release_guard(state);
}

VFTR_COLD void full_slow_path_leave(ThreadState& state, vfd::Frame& left, std::uint64_t now) {
    look_for_samples(state, left.node);
    look_for_preemption(state, left, now);
    if (left.flags & vfd::FrameLogged)
        log_leave(state, left, now);
    else if (wants_sample(state, now, state.nodes[left.node].flags & vfd::NodePrecise))
        log_sampled_leave(state, left, now);
    poll_requests(state, now);
    if (left.flags & vfd::FrameReported)
        observers.dispatch_leave(state, left, now, false);
    sample_timing_if_short(state, left, now);
    if (recorder.settings.too_hot)
        exclude_if_tiny_and_hot(state, left, now);
    follow_decisions_if_changed(state, now);
    release_guard(state);
}

bool plain_event(const ThreadState& state, std::uint64_t now) {
    return VFTR_LIKELY(state.stream == StreamAll && has_room(state) && now < state.refresh_deadline.ticks());
}

// True if only the callbacks of a function are left to be called.
bool plain_call(const ThreadState& state, const vfd::Node& node, std::uint64_t now) {
    return (state.stream & (StreamFile | StreamFunctions)) == StreamFunctions && node.kind == vfd::NodeKind::Function &&
           now < state.refresh_deadline.ticks();
}

} // namespace

void enter_on_slow_path(ThreadState& state, std::uint64_t function, CallAddresses addresses) {
    base::preserving_errno([&] {
        const std::uint64_t now = base::read_ticks();
        poll_requests(state, now);
        follow_decisions_if_changed(state, now);
    });
    if (stays_ready(state))
        enter(state, function, vfd::NodeKind::Function, addresses);
    else
        release_guard(state);
}

namespace {

// Writes an event to the file's stream if the stream wants it.
__attribute__((noinline)) void log_plain_enter(ThreadState& state, std::uint64_t now) {
    if (state.stream & StreamAll)
        state.top->flags |= vfd::FrameLogged;
    if (!plain_event(state, now))
        return full_slow_path_enter(state, now);
    put_enter(state, now);
    release_guard(state);
}
__attribute__((noinline)) void log_plain_leave(ThreadState& state, vfd::Frame& left, std::uint64_t now) {
    if (!plain_event(state, now) || !(left.flags & vfd::FrameLogged))
        return full_slow_path_leave(state, left, now);
    put_leave(state, now);
    release_guard(state);
}

// The work for each event where all events are wanted. It needs no stack frame, since rare work and work that needs one
// is in functions that are not inlined.
VFTR_INLINE void dispatch_or_log_enter(ThreadState& state, std::uint64_t now) {
    if (plain_call(state, state.nodes[state.top->node], now))
        observers.dispatch_enter_and_end(state, now);
    else
        log_plain_enter(state, now);
}
VFTR_INLINE void dispatch_or_log_leave(ThreadState& state, vfd::Frame& left, std::uint64_t now) {
    if (plain_call(state, state.nodes[left.node], now) && left.flags & vfd::FrameReported)
        observers.dispatch_leave_and_end(state, left, now);
    else
        log_plain_leave(state, left, now);
}

VFTR_COLD void obey_and_enter(ThreadState& state, std::uint64_t now) {
    obey_trigger(state, state.nodes[state.top->node].key);
    dispatch_or_log_enter(state, now);
}

__attribute__((noinline)) void add_timing_sample_and_leave(ThreadState& state, vfd::Frame& left, std::uint64_t now) {
    add_timing_sample(state, left, now);
    if (now < state.slow_path_deadline.ticks() && !(state.nodes[left.node].flags & vfd::NodePrecise))
        release_guard(state);
    else
        dispatch_or_log_leave(state, left, now);
}

VFTR_COLD void add_duration_and_leave(ThreadState& state, vfd::Frame& left, std::uint64_t now) {
    const std::uint8_t flags = state.nodes[left.node].flags;
    const std::uint64_t enter = left.enter;
    look_for_preemption(state, left, now);
    const std::uint64_t calls = flags & vfd::NodeTimingSampled ? add_timing_sample(state, left, now) : 1;
    add_duration(state, left, now, left.enter - enter, calls);
    if (now < state.slow_path_deadline.ticks() && !(flags & vfd::NodePrecise))
        release_guard(state);
    else
        dispatch_or_log_leave(state, left, now);
}

VFTR_INLINE void add_call_and_leave(ThreadState& state, vfd::Frame& left, std::uint64_t now) {
    const std::uint8_t flags = state.nodes[left.node].flags;
    if (!(flags & (vfd::NodeTimingSampled | vfd::NodeDurations)))
        dispatch_or_log_leave(state, left, now);
    else if (VFTR_LIKELY(!(flags & vfd::NodeDurations)))
        add_timing_sample_and_leave(state, left, now);
    else
        add_duration_and_leave(state, left, now);
}

// For calls that are not stale, too.
VFTR_COLD void correct_stale_leave_and_dispatch(ThreadState& state, vfd::Frame& left, std::uint64_t now) {
    if (correct_stale_leave(state, left, now))
        dispatch_or_log_leave(state, left, now);
    else
        add_call_and_leave(state, left, now);
}

} // namespace

void slow_path_enter(ThreadState& state, std::uint64_t now) {
    if (VFTR_UNLIKELY(state.nodes[state.top->node].flags & vfd::NodeTrigger))
        obey_and_enter(state, now);
    else
        dispatch_or_log_enter(state, now);
}

void slow_path_leave(ThreadState& state, vfd::Frame& left, std::uint64_t now) {
    if (may_be_stale(left))
        correct_stale_leave_and_dispatch(state, left, now);
    else
        add_call_and_leave(state, left, now);
}

namespace {

// For one thread at a time; a second one does not need to wait, as the clocks have just been read. A reader that began
// long ago will not end any more: a signal handler has jumped out of it.
bool begin_to_read_clock() {
    const std::uint64_t now = base::read_ticks();
    std::uint64_t since = recorder.clock_reader_since.load(std::memory_order_relaxed);
    return (since == 0 || now > since + LastRefresh) &&
           recorder.clock_reader_since.compare_exchange_strong(since, now, std::memory_order_acquire);
}

// A reader may copy the header at the same time; by last_index it knows that this pair is not complete.
void put_clocks(vfd::ClockPair& clocks, const base::Moment& now) {
    std::atomic_ref(clocks.ticks).store(now.ticks, std::memory_order_relaxed);
    std::atomic_ref(clocks.monotonic_ns).store(now.monotonic_ns, std::memory_order_relaxed);
    std::atomic_ref(clocks.realtime_ns).store(now.realtime_ns, std::memory_order_relaxed);
}

} // namespace

void refresh_clock() {
    if (!begin_to_read_clock())
        return;
    vfd::FileHeader& header = recorder.writer.header();
    base::Moment now = base::read_moment();
    std::uint32_t index = 1 - header.last_index;
    put_clocks(header.last[index], now);
    std::atomic_ref(header.last_index).store(index, std::memory_order_release);
    double ns = static_cast<double>(now.monotonic_ns - header.start.monotonic_ns);
    double ticks = static_cast<double>(now.ticks - header.start.ticks);
    auto ticks_in = [&](double seconds) {
        return static_cast<std::uint64_t>(std::max(1.0, seconds * 1e9 * ticks / ns));
    };
    if (recorder.settings.sampling && ns > 0) {
        recorder.interval_ticks = ticks_in(recorder.settings.sample_interval);
        recorder.keep_ticks = recorder.settings.keep_seconds > 0 ? ticks_in(recorder.settings.keep_seconds) : 0;
        recorder.min_duration_ticks = static_cast<std::uint64_t>(recorder.settings.min_duration * 1e9 * ticks / ns);
    }
    recorder.clock_reader_since.store(0, std::memory_order_release);
}

} // namespace vftr::record
