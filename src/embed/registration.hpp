// SPDX-License-Identifier: BSD-3-Clause
//
// The callbacks that are set, and who may still be using them.
//
// One immutable object holds functions and user pointer; it is published by one store, so that nobody sees a mixed
// pair. A thread says in a word of its own that it is about to call (Subscription::calls, odd), then loads the object;
// who replaces it stores first, and then looks at the words of all threads. One of the two sees the other, if neither's
// store passes its load. The one that replaces pays for that order on behalf of all (membarrier): a call costs two
// plain stores and no fence. Where the kernel has no membarrier, and for ThreadSanitizer, which does not know it, both
// sides order themselves.
//
// Within a callback nobody waits for other calls: two callbacks that both unregister would wait for each other, and one
// that holds a lock of the program for one that wants it. What could not be waited for is retired later.
#pragma once

#include "base/compiler.hpp"
#include "record/hot/thread_state.hpp"
#include "vftrace_callbacks.h"

#include <atomic>
#include <cstdint>

namespace vftr::embed {

struct Registration {
    vftrace_callbacks callbacks;
    std::uint64_t generation; // counts up, from 1
    Registration* retired;    // list
};

extern std::atomic<Registration*> published; // nullptr: none
extern std::atomic<bool> readers_fence;

// The calling thread is within a callback.
inline bool in_callback() { return record::current->subscription.calls & 1; }

// Begins a call: the registration to use, which stays valid until end_call; nullptr where nobody listens.
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

// Somebody waits for the calls to end.
extern std::atomic<bool> closing;
void finish_if_last();

VFTR_INLINE void end_call(record::Subscription& subscription) {
    __atomic_store_n(&subscription.calls, (subscription.calls | 1) + 1,
                     VFTR_THREAD_SANITIZER ? __ATOMIC_SEQ_CST : __ATOMIC_RELEASE);
    asm volatile("" ::: "memory");
    if (VFTR_UNLIKELY(closing.load(std::memory_order_relaxed)))
        finish_if_last();
}

// Publishes a copy, or nothing (nullptr). false: no memory. Waits as the header of the API says.
bool replace(const vftrace_callbacks* callbacks);
// No call begins after it has returned, for those that come later; what was published is handed over. Waits for
// nothing.
Registration* withdraw();
// Waits until the calls under way on other threads have ended.
void drain();
// How many calls are under way on other threads.
std::uint64_t under_way();

} // namespace vftr::embed
