// SPDX-License-Identifier: BSD-3-Clause
//
// Memory directly from the kernel. The recorder never calls malloc on the event path, because the program may be inside
// malloc, and malloc may itself be instrumented. Sizes are rounded up to pages. Functions return nullptr if there is no
// memory, and may change errno.
#pragma once

#include <atomic>
#include <cstddef>
#include <sched.h>

namespace vftr::base {

std::size_t page_size();
std::size_t round_to_pages(std::size_t bytes);

void* map_anonymous(std::size_t bytes);
// As map_anonymous, but a forked child finds zeros in this memory (wiped_on_fork.hpp has single objects). The kernel
// does this after every kind of fork. Where it cannot (Linux before 4.14, some emulators), a fork handler does, which
// runs after fork() only.
void* map_wiped_on_fork(std::size_t bytes);
// Reserves address space only, into which memory is mapped later.
void* reserve(std::size_t bytes);
// Maps anonymous memory into reserved address space.
bool map_anonymous_at(void* address, std::size_t bytes);
// For memory that will be written soon: the kernel populates all its pages at once if it can (Linux 5.14), which takes
// a third of the time of single page faults.
void touch(void* address, std::size_t bytes);
void unmap(void* address, std::size_t bytes);

// Returns whether a failing `new` can be caught. The C++ library ends the program if there is not even memory for the
// exception. It allocates a reserve for exceptions when it is loaded, so there is none in the first constructors, nor
// if there was no memory at that time. This function calls malloc.
bool can_throw();

// Whether malloc may be called. Where a seccomp filter answers brk(2) with an error, glibc's malloc takes that for an
// address and writes there.
bool may_call_malloc();

// A lock for the few cases in which threads share a table. It is held for microseconds. A hook that could be
// interrupted by another hook of its own thread never holds it (the thread's reentrancy guard excludes that).
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
