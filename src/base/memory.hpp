// SPDX-License-Identifier: BSD-3-Clause
//
// Memory straight from the kernel. The recorder never calls malloc on the event path: the program may be inside
// malloc, or malloc may be instrumented itself. Sizes are rounded up to pages. nullptr where there is none; errno may
// change.
#pragma once

#include <atomic>
#include <cstddef>
#include <sched.h>

namespace vftr::base {

std::size_t page_size();
std::size_t round_to_pages(std::size_t bytes);

void* map_anonymous(std::size_t bytes);
// As map_anonymous, but a forked child finds zeros here: by the kernel, after every kind of fork; where it cannot do
// that (Linux before 4.14, some emulators), by a handler of fork(), after that alone.
void* map_wiped_on_fork(std::size_t bytes);
// Address space only, to be filled by map_at.
void* reserve(std::size_t bytes);
// Anonymous memory at a reserved place.
bool map_anonymous_at(void* place, std::size_t bytes);
// Memory that will be written to soon: the kernel makes all its pages at once where it can (Linux 5.14), for a third of
// what one page after the other costs.
void touch(void* place, std::size_t bytes);
void unmap(void* place, std::size_t bytes);

// Whether a failing new can be caught. The C++ library ends the program where there is no memory for the exception
// either; what it keeps for that it allocates when it is loaded, so it is not there in the first constructors, nor
// where there was no memory then. Calls malloc.
bool can_throw();

// For the few places where threads share a table. Held for microseconds, never by a hook that may be
// interrupted by another hook of its own thread (the guard of the thread keeps those out).
class SpinLock {
public:
    void lock() {
        while (held_.exchange(true, std::memory_order_acquire))
            sched_yield();
    }
    bool try_lock() { return !held_.exchange(true, std::memory_order_acquire); }
    void unlock() { held_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> held_{false};
};

} // namespace vftr::base
