// SPDX-License-Identifier: BSD-3-Clause
//
// The callbacks that are set, and the calls that may still use them.
//
// One immutable object holds the functions and the user pointer. It is published by one store, so that no thread sees a
// mixed pair. A thread marks in a word of its own that it is about to call (Subscription::calls is odd), and then loads
// the object. A thread that replaces the object first stores the new one, and then checks the words of all threads. If
// no thread's store is delayed beyond its load, one of the two sees the other. The replacing thread enforces that order
// for all threads (membarrier), so that a call costs two plain stores and no fence. If the kernel has no membarrier,
// and with ThreadSanitizer, which does not know it, both sides use fences.
//
// A thread never waits for other calls within a callback: two callbacks that both unregister would wait for each other,
// and a callback that holds a lock of the program would wait for one that needs it. Objects that could not be freed for
// this reason are freed by a later replacement.
#pragma once

#include "base/compiler.hpp"
#include "record/hot/thread_state.hpp"
#include "vftrace_callbacks.h"

#include <atomic>
#include <cstdint>

namespace vftr::embed {

struct Registration {
    vftrace_callbacks callbacks;
    std::uint64_t generation; // counts up from 1
    Registration* retired;    // the next object in the list of retired ones
};

extern std::atomic<Registration*> published; // nullptr: none
extern std::atomic<bool> readers_fence;

// Whether the calling thread is within a callback.
inline bool in_callback() { return record::current->subscription.calls & 1; }

// Begins a call. Returns the registration to use, which stays valid until end_call, or nullptr if no callbacks are set.
VFTR_INLINE const Registration* begin_call(record::Subscription& subscription) {
    const std::uint64_t odd = subscription.calls | 1;
#if VFTR_THREAD_SANITIZER
    __atomic_exchange_n(&subscription.calls, odd, __ATOMIC_SEQ_CST);
    return published.load(std::memory_order_seq_cst);
#else
    __atomic_store_n(&subscription.calls, odd, __ATOMIC_RELAXED);
    asm volatile("" ::: "memory");
    if (VFTR_UNLIKELY(readers_fence.load(std::memory_order_relaxed)))
        std::atomic_thread_fence(std::memory_order_seq_cst);
    return published.load(std::memory_order_acquire);
#endif
}

// Set when vftrace_shutdown or the end of the process begins to wait for the calls to end; never cleared.
extern std::atomic<bool> closing;
void finish_if_last();

VFTR_INLINE void end_call(record::Subscription& subscription) {
    __atomic_store_n(&subscription.calls, (subscription.calls | 1) + 1,
                     VFTR_THREAD_SANITIZER ? __ATOMIC_SEQ_CST : __ATOMIC_RELEASE);
    asm volatile("" ::: "memory");
    if (VFTR_UNLIKELY(closing.load(std::memory_order_relaxed)))
        finish_if_last();
}

// Publishes a copy, or nothing (nullptr). Returns false if there is no memory. It waits as the header of the API says.
bool replace(const vftrace_callbacks* callbacks);
// Returns the published registration and publishes nothing in its place: a call that begins later finds no callbacks.
// It does not wait.
Registration* withdraw();
// Waits until the calls under way on other threads have ended.
void drain();
// Returns the number of calls that are under way on other threads.
std::uint64_t under_way();

} // namespace vftr::embed
