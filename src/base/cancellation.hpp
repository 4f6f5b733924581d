// SPDX-License-Identifier: BSD-3-Clause
//
// open, write, close and similar functions are cancellation points: if another thread cancels this one
// (pthread_cancel), it would be unwound in the middle of vftrace's work, through functions that do not throw, which
// ends the program. While a CancellationDeferred exists, a cancellation of the calling thread stays pending. It takes
// no system call.
//
// That alone does not suffice in what hooks reach. In glibc (2.36) a cancellation point makes the thread's type
// asynchronous while it is in the kernel, whatever the state, and the handler of the signal that cancels looks at the
// type alone. That signal may be late, as the thread that cancels decides by type and state before it sends it. Nor may
// the signal be blocked: a cancellation point that has seen it sent waits for it. Therefore what hooks reach makes its
// system calls itself (system_call.hpp, whole_io.hpp, sleep.hpp); test/layers.sh looks for others.
//
// A pending asynchronous cancellation unwinds the thread from within the destructor; signal_mask.hpp describes the
// consequences.
#pragma once

#include <pthread.h>

namespace vftr::base {

struct Cancellation {
    int state, type;
};

// Defers cancellation and returns the previous settings. The type has to be changed first: glibc decides in the thread
// that cancels whether an asynchronous cancellation applies, and the handler of the signal that it then sends checks
// the type alone (2.36). With the state changed first, the thread could still be cancelled after that.
inline Cancellation defer_cancellation() {
    Cancellation before{PTHREAD_CANCEL_ENABLE, PTHREAD_CANCEL_DEFERRED};
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before.type);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before.state);
    return before;
}

// Restores the settings. Restoring the type delivers a pending asynchronous cancellation: glibc sets the thread's
// result in pthread_setcanceltype, and not in pthread_setcancelstate.
inline void restore_cancellation(const Cancellation& before) {
    pthread_setcancelstate(before.state, nullptr);
    pthread_setcanceltype(before.type, nullptr);
}

class CancellationDeferred {
public:
    CancellationDeferred() : before_(defer_cancellation()) {}
    ~CancellationDeferred() noexcept(false) { restore_cancellation(before_); }
    CancellationDeferred(const CancellationDeferred&) = delete;
    CancellationDeferred& operator=(const CancellationDeferred&) = delete;

private:
    Cancellation before_;
};

} // namespace vftr::base
