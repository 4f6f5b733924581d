// SPDX-License-Identifier: BSD-3-Clause
//
// A lock that is taken only if the MPI library was initialised with MPI_THREAD_MULTIPLE. With the lower thread levels
// the program itself ensures that its threads call MPI one after the other.
#pragma once

#include "base/memory.hpp"

#include <atomic>

namespace vftr::mpi {

// Set once, when MPI has been initialised.
inline constinit std::atomic<bool> threads_share{false};

class Guard {
public:
    explicit Guard(base::SpinLock& lock) : lock_(threads_share.load(std::memory_order_relaxed) ? &lock : nullptr) {
        if (lock_)
            lock_->lock();
    }
    ~Guard() {
        if (lock_)
            lock_->unlock();
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

private:
    base::SpinLock* lock_;
};

} // namespace vftr::mpi
