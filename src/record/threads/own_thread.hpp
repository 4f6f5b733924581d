// SPDX-License-Identifier: BSD-3-Clause
//
// Threads of the library itself, which some options need: one that compresses (stream/packing.hpp), one that opens
// windows (budget/budget.hpp). The program then has one more thread, with which some system calls refuse to work.
//
// Why such a thread does no harm. All its signals are blocked, so none of the program's handlers runs on it. It is
// created by the C library's own pthread_create, and its guard is always held: it is not recorded, whatever
// instrumented code (an allocator) it calls. A forked child does not have it; what the thread and the program share
// lies in memory that is wiped there, and the child's recording begins a thread of its own. exec and _exit may end it
// at any point.
#pragma once

#include <atomic>
#include <cstdint>
#include <pthread.h>

namespace vftr::record {

using CreateThread = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

// What the thread and the program share. All zeros: there is no thread.
struct OwnThread {
    // Ends: as soon as nothing is left to do. Stops: at once.
    enum class Life : std::uint32_t { None, Works, Ends, Stops, Gone };
    std::atomic<Life> life;
    std::atomic<std::uint32_t> calls; // a futex; it changes when there is something to do

    // Called by the session, which may use malloc. create: the C library's pthread_create. False: no thread could be
    // created. `run` begins with has_begun() and ends with `life = Life::Gone`.
    bool begin(CreateThread* create, void* (*run)(void*));
    // The thread sleeps as exactly as the kernel can.
    static void has_begun();
    // Makes the thread look for what there is to do.
    void call();
    // Called by the thread: waits until call() was called after `seen` was read, or for so many ns.
    void wait_for_call(std::uint32_t seen, std::uint64_t longest_ns);
    // Lets the thread finish what it has to do, for at most so many ns. Returns false if there is no thread that works.
    bool end(std::uint64_t longest_ns);
};

} // namespace vftr::record
