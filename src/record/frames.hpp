// SPDX-License-Identifier: BSD-3-Clause
//
// The shadow stack: which functions have been entered and not left, and when.
//
// Frames that never leave. A longjmp, a C++ exception under clang, pthread_exit or a vfork child leave frames
// behind whose functions are gone. They are found by address: stacks grow downwards, so a function that calls the enter
// hook with a stack pointer above that of the innermost frame proves that frame dead. With equal stack pointers the two
// are either one machine frame (an inlined function: alive) or one after the other. Then
//   - another return address of the function (`call_site`): not the same machine frame, so dead;
//   - the same hook instruction (`hook_site`) has run before in this machine frame: it runs again, so what it began is
//   dead.
// Dead frames are closed at the present time and counted as vanished.
//
// All this holds for the stack pointers of one machine stack; of others: stacks.hpp. The frame of the root carries the
// end of the stack that the thread is on.
//
// Leaves. Compilers call the leave hook from within the function, or jump to it as its last act, when the machine
// frame is already gone: then the hook's return address is the function's own, and the stack pointer that of the
// caller.
#pragma once

#include "record/named.hpp"
#include "record/thread_state.hpp"

#include <cstdint>

namespace vftr::record {

// Above all stack pointers.
inline constexpr std::uint64_t TopOfStack = ~std::uint64_t{0};

// The first part of a thread's shadow stack, in a segment of so many bytes, with the root's frame on it.
inline constexpr std::size_t FirstStackBytes = 4096 - sizeof(vfd::SegmentHeader);
void create_frames(ThreadState& state, vfd::SegmentHeader* first);
// Room for one more frame; returns the new top + 1, or nullptr without memory.
vfd::Frame* grow_frames(ThreadState& state);

// Takes the innermost frame off and books its time.
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

// Publishes the shadow stack's height, after its frames.
inline void publish_depth(ThreadState& state) {
    __atomic_store_n(&state.record->depth, static_cast<std::uint32_t>(state.top - state.frames + 1), __ATOMIC_RELEASE);
}

// Before an enter at `stack_pointer` that is not below the innermost frame's: drops the frames that are dead.
// A site of 0 is not known and proves nothing.
void drop_dead_frames(ThreadState& state, std::uint64_t stack_pointer, std::uint32_t call_site,
                      std::uint32_t hook_site);

// A leave that the innermost frame does not answer to: drops what is dead above the frame that is meant, then that.
// An open region that the leaving function began moves to its caller.
void leave_inner_frame(ThreadState& state, std::uint64_t key, std::uint64_t stack_pointer, bool jumped,
                       std::uint64_t now);

// Ends the innermost frame of a named entry wherever it stands; frames above it stay.
Left leave_named_frame(ThreadState& state, std::uint64_t key, std::uint64_t now);

// If the innermost frame's enter is in the event stream, or was told to a callback: so is its leave.
void log_leave_of_top(ThreadState& state, std::uint64_t now, bool vanished = false);

// Drops the innermost frame and notes that it never left.
void vanish_frame(ThreadState& state, std::uint64_t now);

} // namespace vftr::record
