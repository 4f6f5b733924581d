// SPDX-License-Identifier: BSD-3-Clause
#include "embed/registration.hpp"

#include "base/memory.hpp"
#include "base/system_call.hpp"
#include "embed/wait.hpp"
#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"
#include "record/threads/thread_records.hpp"

#include <algorithm>
#include <cstring>
#include <linux/membarrier.h>
#include <mutex>
#include <new>
#include <utility>

namespace vftr::embed {

using record::recorder;
using record::ThreadState;

std::atomic<Registration*> published{nullptr};
std::atomic<bool> readers_fence{VFTR_THREAD_SANITIZER != 0};
std::atomic<bool> closing{false};

namespace {

base::SpinLock registration_lock; // protects what follows
Registration* retired = nullptr;
std::uint64_t generations = 0;

bool membarrier(int command) { return base::system_call(SYS_membarrier, command) == 0; }

// To be called before the first registration is published. Decides whether readers need fences.
void prepare_order() {
    if (!readers_fence.load(std::memory_order_relaxed) && !membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED))
        readers_fence = true;
}

// Orders memory accesses of all threads: every other thread sees what this thread stored before the call, in whatever
// it loads after its next instruction; and this thread sees what the others have stored.
void order_all_threads() {
    std::atomic_signal_fence(std::memory_order_seq_cst);
#if !VFTR_THREAD_SANITIZER
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
    // A forked child has to register for membarrier again.
    if (!readers_fence.load(std::memory_order_relaxed) && !membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) &&
        membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED))
        membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
}

std::uint64_t calls_of(ThreadState& state) { return __atomic_load_n(&state.subscription.calls, __ATOMIC_SEQ_CST); }

void free_all(Registration* list) {
    while (list)
        delete std::exchange(list, list->retired);
}

} // namespace

void drain() {
    order_all_threads();
    for (ThreadState* state = recorder.threads.load(); state; state = state->next) {
        const std::uint64_t calls = state == record::current ? 0 : calls_of(*state);
        for (int tries = 0; (calls & 1) && calls_of(*state) == calls; ++tries)
            wait_a_little(tries, 50);
    }
}

std::uint64_t under_way() {
    order_all_threads();
    std::uint64_t count = 0;
    for (ThreadState* state = recorder.threads.load(); state; state = state->next)
        count += state != record::current && (calls_of(*state) & 1);
    return count;
}

Registration* withdraw() {
    std::lock_guard guard(registration_lock);
    return published.exchange(nullptr);
}

bool replace(const vftrace_callbacks* callbacks) {
    Registration* fresh = nullptr;
    if (callbacks) {
        prepare_order();
        fresh = new (std::nothrow) Registration{};
        if (!fresh)
            return false;
        std::memcpy(&fresh->callbacks, callbacks, std::min(callbacks->size, sizeof fresh->callbacks));
        fresh->callbacks.size = sizeof fresh->callbacks;
    }
    Registration* gone = nullptr;
    {
        std::lock_guard guard(registration_lock);
        if (fresh)
            fresh->generation = ++generations;
        if (Registration* before = published.exchange(fresh)) {
            before->retired = retired;
            retired = before;
        }
        if (!in_callback())
            gone = std::exchange(retired, nullptr);
    }
    record::request_slow_path_of_all();
    if (!in_callback()) {
        drain();
        free_all(gone);
    }
    return true;
}

} // namespace vftr::embed
