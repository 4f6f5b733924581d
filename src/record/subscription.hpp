// SPDX-License-Identifier: BSD-3-Clause
//
// What a thread keeps for the program's callbacks (src/embed), which get events while they happen. observers.hpp has
// the functions by which the recorder dispatches events to them.
//
// A thread with a subscription takes the slow path at each event (Stream), where the event is dispatched. The plain
// path does not know about subscriptions.
#pragma once

#include <atomic>
#include <cstdint>

namespace vftr::record {

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

} // namespace vftr::record
