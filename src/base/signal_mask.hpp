// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/cancellation.hpp"

#include <csignal>
#include <initializer_list>

namespace vftr::base {

// As in a signal handler, which blocks its own signal as a rule; so where nothing is blocked, this is none. One system
// call.
inline bool a_signal_is_blocked() {
    sigset_t mask;
    return sigprocmask(SIG_SETMASK, nullptr, &mask) == 0 && !sigisemptyset(&mask);
}

// While it lives nothing interrupts this thread: no signal handler but those for its own mistakes, no cancellation. Two
// system calls.
//
// What has waited comes within the destructor, and may end the thread (pthread_exit in a handler), which unwinds it
// from there. In the function that has such an object nothing that needs a destructor may live longer than it: the
// program's unwinder cannot run code of ours, as we have an unwinder of our own; it can pass it. And the call is one of
// a function that may throw, which pthread_sigmask is declared not to be.
class SignalsBlocked {
public:
    // Cancellation first: a system call is where a signal of it arrives, and pthread_sigmask is declared not to throw.
    SignalsBlocked() : cancellation_(later_cancellation()) {
        sigset_t later;
        sigfillset(&later);
        for (int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT})
            sigdelset(&later, own);
        pthread_sigmask(SIG_BLOCK, &later, &signals_);
    }
    ~SignalsBlocked() noexcept(false) {
        int (*volatile restore)(int, const sigset_t*, sigset_t*) = pthread_sigmask;
        cancellation_as(cancellation_);
        restore(SIG_SETMASK, &signals_, nullptr);
    }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
    Cancellation cancellation_;
    sigset_t signals_;
};

} // namespace vftr::base
