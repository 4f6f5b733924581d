// SPDX-License-Identifier: BSD-3-Clause
//
// The shadow stack: the functions that have been entered and not left, and when they were entered.
//
// Frames that never leave. A longjmp, a C++ exception under clang, pthread_exit or a vfork child leaves frames behind
// whose functions are gone. The recorder finds them by address: stacks grow downwards, so a function that calls the
// enter hook with a stack pointer above that of the innermost frame proves that this frame is dead. If the two stack
// pointers are equal, the functions either share one machine frame (one is inlined into the other, which is alive) or
// they ran one after the other. Two rules tell these cases apart:
//   - If the return address of the function (`call_site`) differs, it is not the same machine frame, so the old frame
//     is dead.
//   - If the same hook instruction (`hook_site`) has already run in this machine frame, it now runs again, so the call
//     that it had begun is dead.
// Dead frames are closed at the present time and counted as vanished.
//
// All this holds for the stack pointers of one machine stack; stacks.hpp describes programs that use several. The frame
// of the root holds the end of the stack on which the thread runs.
//
// Leaves. Compilers either call the leave hook from within the function, or jump to it as the function's last act, when
// the machine frame is already gone. In the second case the return address of the hook is that of the function, and the
// stack pointer is that of the caller.
#pragma once

#include "record/entries/named.hpp"
#include "record/hot/thread_state.hpp"

#include <cstdint>

namespace vftr::record {

// An address above all stack pointers.
inline constexpr std::uint64_t TopOfStack = ~std::uint64_t{0};

// Creates the first part of a thread's shadow stack in a segment of FirstStackBytes, with the root's frame on it.
inline constexpr std::size_t FirstStackBytes = 4096 - sizeof(vfd::SegmentHeader);
void create_frames(ThreadState& state, vfd::SegmentHeader* first);
// Makes room for one more frame. Returns the new top + 1, or nullptr without memory.
vfd::Frame* grow_frames(ThreadState& state);

// Pops the innermost frame and adds its time to its node and to the frame below.
inline void pop_frame(ThreadState& state, std::uint64_t now) {
    vfd::Frame* frame = state.top;
    vfd::Frame* below = frame - 1;
    vfd::Node& node = state.nodes[frame->node];
    if (frame->flags & vfd::FrameNotTimed) {
        below->child += frame->child;
        --node.open;
    } else {
        std::uint64_t duration = now - frame->enter;
        node.exclusive += duration - frame->child;
        if (--node.open == 0)
            node.inclusive += duration;
        below->child += duration;
    }
    state.top = below;
}

// Publishes the depth of the shadow stack, after its frames were written.
inline void publish_depth(ThreadState& state) {
    __atomic_store_n(&state.record->depth, static_cast<std::uint32_t>(state.top - state.frames + 1), __ATOMIC_RELEASE);
}

// Before an enter at a `stack_pointer` that is not below that of the innermost frame: drops the frames that are dead. A
// site of 0 is not known and proves nothing.
void drop_dead_frames(ThreadState& state, std::uint64_t stack_pointer, std::uint32_t call_site,
                      std::uint32_t hook_site);

// Ends the stale frames at the top of the shadow stack (budget/windowed.hpp). The guard is held.
VFTR_COLD void drop_stale_frames(ThreadState& state);

// A leave that does not match the innermost frame: drops the dead frames above the frame that leaves, then pops that
// frame. An open region that the leaving function began moves to its caller.
void leave_inner_frame(ThreadState& state, std::uint64_t key, std::uint64_t stack_pointer, bool jumped,
                       std::uint64_t now);

// Ends the innermost frame of this named entry, wherever it is on the shadow stack; the frames above it stay.
Left leave_named_frame(ThreadState& state, std::uint64_t key, std::uint64_t now);

// Reports the leave of the innermost frame to the event stream and to callbacks, if they were given its enter.
void log_leave_of_top(ThreadState& state, std::uint64_t now, bool vanished = false);

// Drops the innermost frame and counts that it never left.
void vanish_frame(ThreadState& state, std::uint64_t now);

} // namespace vftr::record
