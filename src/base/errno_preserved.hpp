// SPDX-License-Identifier: BSD-3-Clause
//
// Two ways to leave errno to the caller as it was. A function that has objects with destructors anyhow uses the class.
// On the event path it is preserving_errno(), which has no destructor: a signal handler that interrupts a hook may call
// pthread_exit, and the program's unwinder then passes functions of the library whose frames need no cleanup, but
// cannot run the cleanup of others (signal_mask.hpp). The same is true for functions that call back into the program.
#pragma once

#include "base/compiler.hpp"

#include <cerrno>
#include <type_traits>

namespace vftr::base {

class ErrnoPreserved {
public:
    ErrnoPreserved() : saved_(errno) {}
    ~ErrnoPreserved() { errno = saved_; }
    ErrnoPreserved(const ErrnoPreserved&) = delete;
    ErrnoPreserved& operator=(const ErrnoPreserved&) = delete;

private:
    const int saved_;
};

// Returns what work() returns.
template <class Work>
VFTR_INLINE auto preserving_errno(Work&& work) {
    const int saved = errno;
    if constexpr (std::is_void_v<decltype(work())>) {
        work();
        errno = saved;
    } else {
        auto result = work();
        errno = saved;
        return result;
    }
}

} // namespace vftr::base
