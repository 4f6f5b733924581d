// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <csignal>
#include <initializer_list>

namespace vftr::base {

// As in a signal handler, which blocks its own signal as a rule; so where nothing is blocked, this is none. One system call.
inline bool a_signal_is_blocked() {
    sigset_t mask;
    return sigprocmask(SIG_SETMASK, nullptr, &mask) == 0 && !sigisemptyset(&mask);
}

// While it lives no handler runs on this thread but those for its own mistakes. Two system calls.
class SignalsLater {
public:
    SignalsLater() {
        sigset_t later;
        sigfillset(&later);
        for (int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT})
            sigdelset(&later, own);
        pthread_sigmask(SIG_BLOCK, &later, &before_);
    }
    ~SignalsLater() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsLater(const SignalsLater&) = delete;
    SignalsLater& operator=(const SignalsLater&) = delete;

private:
    sigset_t before_;
};

} // namespace vftr::base
