// SPDX-License-Identifier: BSD-3-Clause
//
// The calls upward: what the recorder calls in rooms that stand above it.
//
// A hook begins the recording of the process, and events go to the callbacks of the program; the rooms that do that
// (session, embed) use the recorder, so it cannot use them. It therefore calls them by this table of functions, and so
// do the rooms between them. src/wiring fills in the table; it stands above all of them, and test/layers.sh permits no
// other way upward.
//
// The table is a constant that the linker fills in, and nobody registers at run time: hooks run before any constructor
// of the library where the program is linked statically, and they begin the recording. What is chosen at run time are
// the functions that decide on filters (Settings): they are null where there is nothing to decide.
#pragma once

#include "vfd/format.hpp"

#include <cstdint>

namespace vftr::record {

struct ThreadState;
struct Transfer;

struct Observers {
    // --- session
    // Called by the first event of the process, of a thread, and of a forked child; see session/lifecycle/begin.cpp.
    // Returns whether the caller may record now.
    bool (*begin_if_due)();
    // Called where a command from outside has come, see session/control.cpp. The guard is held.
    void (*obey_control)();

    // --- embed, when a recording begins and ends
    // Decides where the events of this process go, see embed/sink.hpp. `forked`: the parent of this process was
    // recorded.
    void (*choose_sink)(bool forked);
    // Called at the end of the process: waits for callbacks that still run, see embed/shutdown.hpp.
    void (*end_delivery)();

    // --- embed, for the events of a thread with a subscription (subscription.hpp)
    // All of these are part of an event of the calling thread, whose guard is held; they keep errno.
    // Dispatches the enter of the innermost frame.
    void (*dispatch_enter)(ThreadState& state, std::uint64_t now);
    // Dispatches the end of a frame whose enter was dispatched; it may be popped already.
    void (*dispatch_leave)(ThreadState& state, const vfd::Frame& frame, std::uint64_t now, bool vanished);
    // These do the same for functions, as the last act of a hook: they end the event.
    void (*dispatch_enter_and_end)(ThreadState& state, std::uint64_t now);
    void (*dispatch_leave_and_end)(ThreadState& state, const vfd::Frame& frame, std::uint64_t now);
    // Called from time to time, and when the callbacks have changed: updates what this thread dispatches from now on.
    void (*follow_subscriptions)(ThreadState& state, std::uint64_t now);
    // Dispatches a module that was just found, or was loaded again.
    void (*dispatch_module)(std::uint16_t id);
    void (*dispatch_transfer)(ThreadState& state, const Transfer& transfer);
    // The thread has its state and record.
    void (*dispatch_thread_begin)(ThreadState& state, std::uint64_t now);
    void (*dispatch_thread_end)(ThreadState& state, std::uint64_t now);

    // Called by a hook deeper on the stack: whether the callback that the thread is running is still on its stack, as
    // far as can be told. abandon_callback handles the case that it is not (longjmp).
    bool (*callback_is_there)(std::uint64_t stack_pointer, bool look_closely);
    void (*abandon_callback)(ThreadState& state);
};

extern const Observers observers;

} // namespace vftr::record
