// SPDX-License-Identifier: BSD-3-Clause
#include "base/real_thread_create.hpp"

#include "base/next_function.hpp"

#include <atomic>
#include <utility>

extern "C" {
// References that not every link fulfils: of a static C library, and of ThreadSanitizer.
int __pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) noexcept __attribute__((weak));
void __tsan_init() __attribute__((weak));
}

vftr::base::ThreadCreate* vftr::base::real_thread_create() {
    static std::atomic<ThreadCreate*> real{nullptr};
    ThreadCreate* found = real.load(std::memory_order_relaxed);
    if (!found) {
        found = reinterpret_cast<ThreadCreate*>(base::next_function("pthread_create"));
        found = found ? found : reinterpret_cast<ThreadCreate*>(__pthread_create);
        real.store(found, std::memory_order_relaxed);
    }
    return found;
}

vftr::base::ThreadCreate* vftr::base::create_for_own_thread() {
    if (!__tsan_init)
        return real_thread_create();
    static bool created = false; // which a forked child has from its parent
    return std::exchange(created, true) ? nullptr
                                        : reinterpret_cast<ThreadCreate*>(base::first_function("pthread_create"));
}
