// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/cancellation.hpp"

#include <csignal>
#include <initializer_list>

namespace vftr::base {

// Returns whether any signal is blocked. In a signal handler that is nearly always so, because a handler usually blocks
// its own signal. So if none is blocked, this is not a signal handler. It takes one system call.
inline bool a_signal_is_blocked() {
    sigset_t mask;
    return sigprocmask(SIG_SETMASK, nullptr, &mask) == 0 && !sigisemptyset(&mask);
}

// While an object exists, nothing interrupts this thread: neither cancellation nor signal handlers, except those for
// faults that the thread itself causes. It takes two system calls.
//
// Pending signals are delivered within the destructor and may end the thread (pthread_exit in a handler), which unwinds
// it from there. Therefore, in a function that has such an object, no other object with a destructor may outlive it:
// the program's unwinder can pass the library's functions but cannot run their cleanup code, because the library has an
// unwinder of its own. Moreover, the destructor calls pthread_sigmask through a pointer whose type permits exceptions,
// because pthread_sigmask itself is declared not to throw.
class SignalsBlocked {
public:
    // Cancellation is deferred first, because a cancellation signal arrives in a system call.
    SignalsBlocked() : cancellation_(defer_cancellation()) {
        sigset_t later;
        sigfillset(&later);
        for (int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT})
            sigdelset(&later, own);
        pthread_sigmask(SIG_BLOCK, &later, &signals_);
    }
    ~SignalsBlocked() noexcept(false) {
        int (*volatile restore)(int, const sigset_t*, sigset_t*) = pthread_sigmask;
        restore_cancellation(cancellation_);
        restore(SIG_SETMASK, &signals_, nullptr);
    }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
    Cancellation cancellation_;
    sigset_t signals_;
};

} // namespace vftr::base
