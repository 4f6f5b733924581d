// SPDX-License-Identifier: BSD-3-Clause
//
// open, write, close and their like are cancellation points: a thread that somebody has cancelled (pthread_cancel) would be
// unwound in the midst of our work, through functions that do not throw, which ends the program. While one of these objects
// lives, the calling thread's cancellation waits. No system call.
#pragma once

#include <pthread.h>

namespace vftr::base {

class CancellationLater {
public:
    CancellationLater() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_); }
    ~CancellationLater() { pthread_setcancelstate(before_, nullptr); }
    CancellationLater(const CancellationLater&) = delete;
    CancellationLater& operator=(const CancellationLater&) = delete;

private:
    int before_ = PTHREAD_CANCEL_ENABLE;
};

} // namespace vftr::base
