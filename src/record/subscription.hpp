// SPDX-License-Identifier: BSD-3-Clause
//
// Who is told of events while they happen: the program's callbacks (src/embed). What a thread keeps for that, and where
// the recorder calls. The room that tells is above this one; so its functions are declared here and defined there.
//
// A thread for which somebody listens takes the slow path at each event (Stream), where it is told. The plain path
// knows nothing of it.
#pragma once

#include "vfd/format.hpp"

#include <atomic>
#include <cstdint>

namespace vftr::record {

struct ThreadState;
struct Transfer;

enum Wants : std::uint64_t {
    WantsMessages = 1,
    WantsModules = 2,
    WantsThreads = 4,
};

// Part of ThreadState; zero at first and in a forked child. Written by its thread alone; `calls` is read by others.
struct Subscription {
    alignas(64) std::uint64_t calls; // odd while a callback runs; atomic
    std::uint64_t generation;        // of the callbacks that `wants` and the thread's stream follow
    std::uint64_t wants;
    // Conversion of ticks: this moment on both clocks, and 2^-32 ns per tick, 0 while the rate is not known.
    std::uint64_t ticks, ns, rate;
    std::uint64_t latest_ns;                   // that a call was told
    int* error;                                // the thread's errno: to ask for its place is a call
    const char** names;                        // by node; of nodes that have none yet nullptr
    std::uint64_t delivered, nested, nameless; // read by others when the thread is still; they may be one off
    bool moving;                               // regions that outlive their function
};

// All of them: part of an event of the calling thread, whose guard is held; errno is kept.

// The innermost frame's enter.
void dispatch_enter(ThreadState& state, std::uint64_t now);
// A frame that was told ends; it may be off the stack already.
void dispatch_leave(ThreadState& state, const vfd::Frame& frame, std::uint64_t now, bool vanished);
// The same of functions, as the last act of a hook: they end the event.
void dispatch_enter_and_end(ThreadState& state, std::uint64_t now);
void dispatch_leave_and_end(ThreadState& state, const vfd::Frame& frame, std::uint64_t now);
// Now and then, and when the callbacks have changed: what this thread is to tell from here on.
void follow_subscriptions(ThreadState& state, std::uint64_t now);
// A module that has just been seen, or is seen again.
void dispatch_module(std::uint16_t id);
void dispatch_transfer(ThreadState& state, const Transfer& transfer);
// The thread has its state and record; the thread ends.
void dispatch_thread_begin(ThreadState& state, std::uint64_t now);
void dispatch_thread_end(ThreadState& state, std::uint64_t now);

// Whether the callback that the thread is in is still on its stack, asked by a hook deeper on it, as far as can be
// told; and what to do if it is not (longjmp).
bool callback_is_there(std::uint64_t stack_pointer, bool look_closely);
void abandon_callback(ThreadState& state);

} // namespace vftr::record
