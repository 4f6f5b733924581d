// SPDX-License-Identifier: BSD-3-Clause
#include "base/file_size.hpp"

#include "base/errno_preserved.hpp"

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
    const ErrnoPreserved preserved;
    const timespec now{};
    if (!was_pending_)
        while (sigtimedwait(&signal_, nullptr, &now) < 0 && errno == EINTR) {
        }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

} // namespace vftr::base
