// SPDX-License-Identifier: BSD-3-Clause
//
// Holding and releasing a thread's guard (thread_state.hpp) around an event, and what a hook does when it finds that
// the guard is not Ready.
#pragma once

#include "base/compiler.hpp"
#include "record/hot/count_only_call.hpp"
#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"

namespace vftr::record {

// Ends an event. Compiler barriers suffice, as only signal handlers of the same thread look at the guard.
VFTR_INLINE void release_guard(ThreadState& state) {
    asm volatile("" ::: "memory");
    state.guard = state.recording_state;
}
VFTR_INLINE void hold_guard(ThreadState& state, std::uint64_t stack_pointer) {
    state.guard = stack_pointer;
    asm volatile("" ::: "memory");
}

// Holds the calling thread's guard, so that its hooks do nothing, while the library works outside of hooks.
class HeldGuard {
public:
    HeldGuard() : state_(materialized_thread()), before_(state_->guard) {
        if (was_free())
            hold_guard(*state_, reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)));
    }
    ~HeldGuard() {
        if (was_free())
            release_guard(*state_);
    }
    HeldGuard(const HeldGuard&) = delete;
    HeldGuard& operator=(const HeldGuard&) = delete;

private:
    bool was_free() const { return before_ == GuardReady || before_ == GuardPaused || before_ == GuardShared; }

    ThreadState* state_;
    std::uint64_t before_;
};

// Ends recording of the calling thread. Its open functions stay open; a reader counts them up to the end.
void close_current_thread();
// The same for a thread that cannot be recorded; warns once per process.
VFTR_COLD void refuse_current_thread();

// Called when a jump is about to arrive at `stack_pointer`. If the jump leaves the hook that is running, that hook ends
// here; otherwise a later event deeper on the stack than the hook would be taken for an event within it. No count-only
// call is running.
VFTR_COLD void leave_hook_by_jump(ThreadState& state, std::uint64_t stack_pointer);

// For a hook whose guard is not Ready: begins the recording of the process or thread, resumes after a pause, or takes
// over the thread of an abandoned hook. Returns the state to record with, whose guard is Ready or Shared; nullptr: this
// event is not recorded. Keeps errno. A leave never begins a recording.
enum class Wanted { Enter, Leave };
VFTR_COLD ThreadState* prepare(Wanted wanted, std::uint64_t stack_pointer);
// The calling thread's state, prepared if its guard is not Ready; nullptr: this event is not recorded.
inline ThreadState* ready_thread(Wanted wanted, std::uint64_t stack_pointer) {
    ThreadState* state = materialized_thread();
    return state->guard == GuardReady ? state : prepare(wanted, stack_pointer);
}

} // namespace vftr::record
