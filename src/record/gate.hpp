// SPDX-License-Identifier: BSD-3-Clause
//
// Opening and closing a thread's gate (thread_state.hpp) around an event, and what a hook does that finds it not Ready.
#pragma once

#include "base/compiler.hpp"
#include "record/passing.hpp"
#include "record/recorder.hpp"

namespace vftr::record {

// The event is over. Compiler barriers suffice: only signal handlers of the same thread look.
VFTR_INLINE void open_gate(ThreadState& state) {
    asm volatile("" ::: "memory");
    state.gate = state.open_value;
}
VFTR_INLINE void close_gate(ThreadState& state, std::uint64_t stack_pointer) {
    state.gate = stack_pointer;
    asm volatile("" ::: "memory");
}

// Keeps the calling thread's hooks out while the library works in a place that is no hook.
class ClosedGate {
public:
    ClosedGate() : state_(settled_thread()), before_(state_->gate) {
        if (before_ == GateReady || before_ == GatePaused)
            close_gate(*state_, reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)));
    }
    ~ClosedGate() {
        if (before_ == GateReady || before_ == GatePaused)
            open_gate(*state_);
    }
    ClosedGate(const ClosedGate&) = delete;
    ClosedGate& operator=(const ClosedGate&) = delete;

private:
    ThreadState* state_;
    std::uint64_t before_;
};

// The calling thread records nothing any more. Its open functions stay open; a reader counts them up to the end.
void close_current_thread();
// The same, because it cannot be recorded; warns once per process.
VFTR_COLD void refuse_current_thread();

// A jump is about to arrive at `stack_pointer`: the hook that is under way ends here if that leaves it. Else an event that stands deeper than
// the hook did would be taken for one within it. No gate is passing.
VFTR_COLD void leave_hook_by_jump(ThreadState& state, std::uint64_t stack_pointer);

// For a hook whose gate is not Ready: begins the process or thread, resumes after a pause, takes a thread up whose
// hook was abandoned. The state to record with, gate Ready; nullptr: this event is not recorded. errno is kept.
// A leave never begins anything.
enum class Wanted { Enter, Leave };
VFTR_COLD ThreadState* prepare(Wanted wanted, std::uint64_t stack_pointer);
// The calling thread's state, prepared where its gate is not Ready; nullptr: this event is not recorded.
inline ThreadState* ready_thread(Wanted wanted, std::uint64_t stack_pointer) {
    ThreadState* state = settled_thread();
    return state->gate == GateReady ? state : prepare(wanted, stack_pointer);
}

} // namespace vftr::record
