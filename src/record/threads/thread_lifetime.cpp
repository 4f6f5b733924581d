// SPDX-License-Identifier: BSD-3-Clause
//
// Begin and end of a thread's recording.
//
// A thread begins with its first event and ends in a destructor of thread-specific data. Destructors of other keys may
// call instrumented functions after that one; therefore the recorder's destructor asks to be called again until the
// last round.
#include "record/threads/thread_lifetime.hpp"
#include "base/clock.hpp"
#include "base/compiler.hpp"
#include "base/memory.hpp"
#include "base/system_call.hpp"
#include "record/hot/frames.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/hot/thread_state.hpp"
#include "record/observers.hpp"
#include "record/pause.hpp"
#include "record/recorder.hpp"
#include "record/samples/samples.hpp"
#include "record/stacks/stacks.hpp"
#include "record/stream/events.hpp"
#include "record/threads/forked_path.hpp"
#include "record/threads/thread_records.hpp"
#include "record/threads/thread_start.hpp"
#include "record/timing/off_cpu.hpp"
#include "record/timing/one_time_work.hpp"

#include <atomic>
#include <climits>
#include <mutex>
#include <pthread.h>
#include <unistd.h>

namespace vftr::record {

namespace {

// The round of destructors in which recording of a thread ends: the last one, so that functions called by the program's
// destructors are recorded. ThreadSanitizer removes its own state of the thread in the last round, so one round less is
// used there.
constexpr int LastRound = PTHREAD_DESTRUCTOR_ITERATIONS - VFTR_THREAD_SANITIZER;

pthread_key_t end_key;
bool have_end_key = false;

std::uint32_t thread_id() { return static_cast<std::uint32_t>(base::system_call(SYS_gettid)); }

void on_thread_end(void* data) {
    auto* state = static_cast<ThreadState*>(data);
    if (state != current || (state->guard == GuardOff && !state->thread_start))
        return;
    // Atomic because of ThreadSanitizer, which does not see that the creator passed the ThreadStart to this thread, as
    // that happens within pthread_create.
    if (std::atomic_ref(state->exit_rounds).fetch_add(1, std::memory_order_relaxed) + 1 < LastRound) {
        pthread_setspecific(end_key, state);
        return;
    }
    if (state->thread_start) // the thread had no event
        take_origin();
    else
        end_thread(state);
}

void start_stack(ThreadState& state, std::uint64_t now) {
    state.top = state.frames;
    *state.top = {TopOfStack, now, 0, 0, vfd::FrameLogged, 0, 0}; // a reader starts with the root entered
    vfd::Node& root = state.nodes[0];
    ++root.calls;
    root.open = 1;
    state.record->last = now;
    publish_depth(state);
}

} // namespace

ThreadState* begin_thread() {
    vfd::ThreadOrigin origin = take_origin();
    current = &refused_state; // nothing of this thread is recorded meanwhile
    const base::Moment* fork = moment_of_fork();
    const std::uint64_t beginning = recorder.beginning.exchange(0),
                        begin = beginning != 0 ? beginning : base::read_ticks();
    const std::uint64_t now = fork ? fork->ticks : begin;
    auto [state, reused] = take_record(now);
    if (!state) {
        refuse_current_thread();
        return nullptr;
    }
    state->record->tid = thread_id();
    state->record->end = 0;
    state->record->flags = 0;
    state->record->origin = origin;
    state->exit_rounds = 0;
    const Settings& settings = recorder.settings;
    state->stream = settings.all_events ? StreamAll : settings.sampling ? StreamSamples : StreamNone;
    if (settings.min_duration > 0 && state->stream != StreamNone)
        state->stream |= StreamDurationFilter;
    request_slow_path(*state);
    start_stack(*state, now);
    begin_stacks(*state);
    begin_off_cpu(*state, now);
    begin_samples(*state);
    if (reused && state->event_segment)
        log_thread_change(*state, state->record->tid, now);
    if (fork) {
        inherit_path(*state);
        adopt_stack_of_frames(*state);
    }
    if (have_end_key)
        dispatch_end_of(state);
    state->is_shared = false;
    state->recording_state = GuardReady;
    hold_guard(*state, reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)));
    current = state;
    observers.dispatch_thread_begin(*state, now);
    if (current != state) // the recording has ended in that call
        return nullptr;
    charge_one_time_work(*state, begin);
    release_guard(*state);
    return state;
}

void end_thread(ThreadState* state) {
    if (in_count_only_call(*state))
        materialize_frame(*state);
    hold_guard(*state, reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)));
    std::uint64_t now = base::read_ticks();
    end_samples(*state);
    end_pause(*state, now);
    charge_off_cpu(*state, now);
    // A preemption while the kernel was queried has moved the begin of all frames.
    now = base::read_ticks();
    while (state->top > state->frames)
        vanish_frame(*state, now);
    end_stacks(*state);
    vfd::Node& root = state->nodes[0];
    std::uint64_t duration = now - state->top->enter;
    root.exclusive += duration - state->top->child;
    root.inclusive += duration;
    root.open = 0;
    state->record->last = state->record->end = now;
    free_remembered_path();
    observers.dispatch_thread_end(*state, now);
    __atomic_store_n(&state->record->depth, 0, __ATOMIC_RELEASE);
    // Functions that destructors of other keys still call are not recorded, as the thread's end would not be reported
    // again.
    current = &refused_state;
    state->guard = GuardOff;
    release_record(*state);
}

bool prepare_thread_ends() {
    have_end_key = pthread_key_create(&end_key, on_thread_end) == 0;
    return have_end_key;
}

bool ends_are_reported() { return have_end_key; }

VFTR_BEFORE_SANITIZERS void dispatch_end_of(ThreadState* state) { pthread_setspecific(end_key, state); }

} // namespace vftr::record
