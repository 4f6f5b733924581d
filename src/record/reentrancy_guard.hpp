// SPDX-License-Identifier: BSD-3-Clause
//
// Opening and closing a thread's guard (thread_state.hpp) around an event, and what a hook does that finds it not
// Ready.
#pragma once

#include "base/compiler.hpp"
#include "record/count_only_call.hpp"
#include "record/recorder.hpp"

namespace vftr::record {

// The event is over. Compiler barriers suffice: only signal handlers of the same thread look.
VFTR_INLINE void release_guard(ThreadState& state) {
    asm volatile("" ::: "memory");
    state.guard = state.recording_state;
}
VFTR_INLINE void hold_guard(ThreadState& state, std::uint64_t stack_pointer) {
    state.guard = stack_pointer;
    asm volatile("" ::: "memory");
}

// Keeps the calling thread's hooks out while the library works in a place that is no hook.
class HeldGuard {
public:
    HeldGuard() : state_(materialized_thread()), before_(state_->guard) {
        if (before_ == GuardReady || before_ == GuardPaused)
            hold_guard(*state_, reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)));
    }
    ~HeldGuard() {
        if (before_ == GuardReady || before_ == GuardPaused)
            release_guard(*state_);
    }
    HeldGuard(const HeldGuard&) = delete;
    HeldGuard& operator=(const HeldGuard&) = delete;

private:
    ThreadState* state_;
    std::uint64_t before_;
};

// The calling thread records nothing any more. Its open functions stay open; a reader counts them up to the end.
void close_current_thread();
// The same, because it cannot be recorded; warns once per process.
VFTR_COLD void refuse_current_thread();

// A jump is about to arrive at `stack_pointer`: the hook that is under way ends here if that leaves it. Else an event
// that stands deeper than the hook did would be taken for one within it. No guard is passing.
VFTR_COLD void leave_hook_by_jump(ThreadState& state, std::uint64_t stack_pointer);

// For a hook whose guard is not Ready: begins the process or thread, resumes after a pause, takes a thread up whose
// hook was abandoned. The state to record with, guard Ready; nullptr: this event is not recorded. errno is kept.
// A leave never begins anything.
enum class Wanted { Enter, Leave };
VFTR_COLD ThreadState* prepare(Wanted wanted, std::uint64_t stack_pointer);
// The calling thread's state, prepared where its guard is not Ready; nullptr: this event is not recorded.
inline ThreadState* ready_thread(Wanted wanted, std::uint64_t stack_pointer) {
    ThreadState* state = materialized_thread();
    return state->guard == GuardReady ? state : prepare(wanted, stack_pointer);
}

} // namespace vftr::record
