// SPDX-License-Identifier: BSD-3-Clause
#include "base/file_size.hpp"

#include "base/system_call.hpp"

#include <cerrno>
#include <ctime>

namespace vftr::base {

BlockedSignal::BlockedSignal(int number) {
    sigset_t pending;
    sigemptyset(&signal_);
    sigaddset(&signal_, number);
    sigpending(&pending);
    was_pending_ = sigismember(&pending, number);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
}

BlockedSignal::~BlockedSignal() {
    const timespec now{};
    if (!was_pending_) // sigtimedwait would be a cancellation point
        while (system_call(SYS_rt_sigtimedwait, &signal_, nullptr, &now, _NSIG / 8) == -EINTR) {
        }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

} // namespace vftr::base
