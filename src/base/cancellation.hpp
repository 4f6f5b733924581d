// SPDX-License-Identifier: BSD-3-Clause
//
// open, write, close and their like are cancellation points: a thread that somebody has cancelled (pthread_cancel)
// would be unwound in the midst of our work, through functions that do not throw, which ends the program. While one of
// these objects lives, the calling thread's cancellation waits. No system call.
//
// An asynchronous cancellation that has waited unwinds the thread from within the destructor. (signal_mask.hpp has what
// follows from that.)
#pragma once

#include <pthread.h>

namespace vftr::base {

struct Cancellation {
    int state, type;
};

// What it was. The type goes first: glibc decides on the sender's side whether an asynchronous cancellation is due, and
// the signal that comes then asks for the type alone (2.36), so that it would act in the midst of what is not to be
// cancelled any more.
inline Cancellation later_cancellation() {
    Cancellation before{PTHREAD_CANCEL_ENABLE, PTHREAD_CANCEL_DEFERRED};
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before.type);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before.state);
    return before;
}

// An asynchronous one that has waited comes with the type: glibc sets the thread's result there, and not in
// pthread_setcancelstate.
inline void cancellation_as(const Cancellation& before) {
    pthread_setcancelstate(before.state, nullptr);
    pthread_setcanceltype(before.type, nullptr);
}

class CancellationDeferred {
public:
    CancellationDeferred() : before_(later_cancellation()) {}
    ~CancellationDeferred() noexcept(false) { cancellation_as(before_); }
    CancellationDeferred(const CancellationDeferred&) = delete;
    CancellationDeferred& operator=(const CancellationDeferred&) = delete;

private:
    Cancellation before_;
};

} // namespace vftr::base
