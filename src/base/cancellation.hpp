// SPDX-License-Identifier: BSD-3-Clause
//
// open, write, close and their like are cancellation points: a thread that somebody has cancelled (pthread_cancel) would be
// unwound in the midst of our work, through functions that do not throw, which ends the program. While one of these objects
// lives, the calling thread's cancellation waits. No system call.
//
// An asynchronous cancellation that has waited unwinds the thread from within the destructor. (signal_mask.hpp has what follows from that.)
#pragma once

#include <pthread.h>

namespace vftr::base {

// What it was.
inline int later_cancellation() {
    int before = PTHREAD_CANCEL_ENABLE;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
    return before;
}

// Of an asynchronous one, which comes here, glibc sets the thread's result in pthread_setcanceltype, and not in pthread_setcancelstate.
inline void cancellation_as(int before) {
    int type = PTHREAD_CANCEL_DEFERRED;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type);
    pthread_setcancelstate(before, nullptr);
    pthread_setcanceltype(type, nullptr);
}

class CancellationLater {
public:
    CancellationLater() : before_(later_cancellation()) {}
    ~CancellationLater() noexcept(false) { cancellation_as(before_); }
    CancellationLater(const CancellationLater&) = delete;
    CancellationLater& operator=(const CancellationLater&) = delete;

private:
    int before_;
};

} // namespace vftr::base
