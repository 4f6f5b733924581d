// SPDX-License-Identifier: BSD-3-Clause
//
// The program's callbacks (src/embed), which get events while they happen: what a thread keeps for them, and the
// functions by which the recorder dispatches to them. The room that implements dispatch is above this one, so its
// functions are declared here and defined there.
//
// A thread with a subscription takes the slow path at each event (Stream), where the event is dispatched. The plain
// path does not know about subscriptions.
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

// Part of ThreadState; zero at first and in a forked child. Written by its thread alone; other threads read `calls`.
struct Subscription {
    alignas(64) std::uint64_t calls; // odd while a callback runs; atomic
    std::uint64_t generation;        // generation of the callbacks that `wants` and the thread's stream reflect
    std::uint64_t wants;
    // Conversion of ticks: the same moment on both clocks, and the rate in 2^-32 ns per tick, which is 0 while it is
    // not known.
    std::uint64_t ticks, ns, rate;
    std::uint64_t latest_ns; // time of the latest event that was dispatched
    int* error;              // address of the thread's errno, as finding it takes a call
    const char** names;      // by node; nullptr for nodes that have no name yet
    // Other threads read these when the thread is idle; they may be off by one.
    std::uint64_t delivered, nested, nameless;
    bool moving; // regions outlive the function that began them
};

// All of these are part of an event of the calling thread, whose guard is held; they keep errno.

// Dispatches the enter of the innermost frame.
void dispatch_enter(ThreadState& state, std::uint64_t now);
// Dispatches the end of a frame whose enter was dispatched; it may be popped already.
void dispatch_leave(ThreadState& state, const vfd::Frame& frame, std::uint64_t now, bool vanished);
// The same for functions, as the last act of a hook: they end the event.
void dispatch_enter_and_end(ThreadState& state, std::uint64_t now);
void dispatch_leave_and_end(ThreadState& state, const vfd::Frame& frame, std::uint64_t now);
// Called from time to time, and when the callbacks have changed: updates what this thread dispatches from now on.
void follow_subscriptions(ThreadState& state, std::uint64_t now);
// Dispatches a module that was just found, or was loaded again.
void dispatch_module(std::uint16_t id);
void dispatch_transfer(ThreadState& state, const Transfer& transfer);
// The thread has its state and record; the thread ends.
void dispatch_thread_begin(ThreadState& state, std::uint64_t now);
void dispatch_thread_end(ThreadState& state, std::uint64_t now);

// Called by a hook deeper on the stack: whether the callback that the thread is running is still on its stack, as far
// as can be told. abandon_callback handles the case that it is not (longjmp).
bool callback_is_there(std::uint64_t stack_pointer, bool look_closely);
void abandon_callback(ThreadState& state);

} // namespace vftr::record
