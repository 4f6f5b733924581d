// SPDX-License-Identifier: BSD-3-Clause
#include "session/real_thread_create.hpp"

#include <atomic>
#include <dlfcn.h>
#include <utility>

extern "C" {
// References that a static link need not fulfil; the second is of a static C library only.
void* dlsym(void* handle, const char* name) noexcept __attribute__((weak));
int __pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) noexcept __attribute__((weak));
void __tsan_init() __attribute__((weak));
}

vftr::session::ThreadCreate* vftr::session::real_thread_create() {
    static std::atomic<ThreadCreate*> real{nullptr};
    ThreadCreate* found = real.load(std::memory_order_relaxed);
    if (!found) {
        found = dlsym ? reinterpret_cast<ThreadCreate*>(dlsym(RTLD_NEXT, "pthread_create")) : nullptr;
        found = found ? found : reinterpret_cast<ThreadCreate*>(__pthread_create);
        real.store(found, std::memory_order_relaxed);
    }
    return found;
}

vftr::session::ThreadCreate* vftr::session::create_for_own_thread() {
    if (!__tsan_init)
        return real_thread_create();
    static bool created = false; // which a forked child has from its parent
    void* program = std::exchange(created, true) ? nullptr : dlopen(nullptr, RTLD_LAZY); // the default scope of ours begins with ourselves
    return program ? reinterpret_cast<ThreadCreate*>(dlsym(program, "pthread_create")) : nullptr;
}
