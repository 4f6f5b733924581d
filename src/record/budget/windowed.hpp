// SPDX-License-Identifier: BSD-3-Clause
//
// Windowed functions as the threads of the program see them: functions whose hook calls are in the text only in short
// windows (budget.hpp).
//
// A function may run while a window opens or closes. Then one of its two hooks is not called:
//   - The leave without an enter has no frame, and is ignored.
//   - The enter without a leave leaves a frame behind, which is stale once the window is closed. It must not stay: its
//     time would grow until the thread's next event, which may come much later, and a function with a larger machine
//     frame that is called then would seem to be its callee. So the next event of the thread ends stale frames at the
//     time at which the window began to close.
// When the hook calls are taken out, the threads run on. A frame may therefore have been entered after the window began
// to close; it then gets no time. A stale count-only or folded frame has no time either.
#pragma once

#include "base/compiler.hpp"
#include "record/hot/thread_state.hpp"

#include <atomic>
#include <cstdint>

namespace vftr::record {

inline constexpr std::uint32_t MostWindowed = 1024; // functions

// The windows of this process. All zeros: no function is windowed. The watcher writes, all threads read.
struct Windows {
    static constexpr std::uint32_t Slots = 2 * MostWindowed;
    // Ticks at which the latest window began to close, and at which it was closed; 0: none was ever closed.
    std::atomic<std::uint64_t> closing_at, closed_at;
    std::atomic<bool> open;
    // Ticks from which calls of windowed functions may make new paths; ~0 while there is no such time.
    std::atomic<std::uint64_t> new_paths_from;
    std::atomic<std::uint32_t> functions; // number of slots that are in use
    std::atomic<std::uint64_t>
        slots[Slots]; // addresses of functions, by hash, and a bit for those that are not windowed any more; 0: free
};
extern Windows windows;

bool is_windowed(std::uint64_t function);
// Whether it is or once was, so that a call of it may be running that was entered without a hook.
bool was_windowed(std::uint64_t function);
// Returns false if there is no room. Only the watcher calls it.
bool add_windowed(std::uint64_t function);
void remove_windowed(std::uint64_t function);
// At the begin of a recording. A forked child does not go on with the windows of its parent.
void forget_windows();

// Whether a call of this function must not make a new path now. While the hook calls are taken out or put back, and as
// long as functions are running that were entered without a hook, callers are missing on the shadow stack.
VFTR_COLD bool path_may_be_wrong(std::uint64_t function);

// Whether the call of this frame may be stale: a first look that costs nothing without windows.
VFTR_INLINE bool may_be_stale(const vfd::Frame& frame) {
    const std::uint64_t closed = windows.closed_at.load(std::memory_order_relaxed);
    return VFTR_UNLIKELY(closed != 0) && (frame.enter < closed || frame.flags & vfd::FrameNotTimed);
}
bool is_stale(const ThreadState& state, const vfd::Frame& frame);
// When the call of a frame that is about to be popped has ended: at `now`, or earlier if the frame is stale.
std::uint64_t end_of_call(const ThreadState& state, const vfd::Frame& frame, std::uint64_t now);
// For the frame that the leave of a later call has popped, as if its call had lasted until `now`: takes the time back
// that it did not last. Returns false if the frame was not stale.
VFTR_COLD bool correct_stale_leave(ThreadState& state, vfd::Frame& left, std::uint64_t now);

} // namespace vftr::record
