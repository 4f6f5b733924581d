// SPDX-License-Identifier: BSD-3-Clause
//
// What keeps signal handlers from interrupting the library, in two strengths:
//   - InterruptionsDeferred, for hooks and what they reach, where the program's functions may be running: it defers
//     cancellation too, and lets the handlers of faults run, since a fault that is blocked ends the process.
//   - AllSignalsBlocked, for the few system calls in which standard streams are occupied or a thread shares memory with
//     a helper: no handler at all may run there. It makes raw system calls, so that it may be used in a child of vfork
//     and below an interposed function.
#pragma once

#include "base/cancellation.hpp"
#include "base/system_call.hpp"

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
class InterruptionsDeferred {
public:
    // Cancellation is deferred first, because a cancellation signal arrives in a system call.
    InterruptionsDeferred() : cancellation_(defer_cancellation()) {
        sigset_t later;
        sigfillset(&later);
        for (int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT})
            sigdelset(&later, own);
        pthread_sigmask(SIG_BLOCK, &later, &signals_);
    }
    ~InterruptionsDeferred() noexcept(false) {
        int (*volatile restore)(int, const sigset_t*, sigset_t*) = pthread_sigmask;
        restore_cancellation(cancellation_);
        restore(SIG_SETMASK, &signals_, nullptr);
    }
    InterruptionsDeferred(const InterruptionsDeferred&) = delete;
    InterruptionsDeferred& operator=(const InterruptionsDeferred&) = delete;

private:
    Cancellation cancellation_;
    sigset_t signals_;
};

// While an object exists, no signal handler runs in this thread. It takes two system calls.
class AllSignalsBlocked {
public:
    AllSignalsBlocked() {
        unsigned long all[_NSIG / (8 * sizeof(unsigned long)) + 1];
        for (unsigned long& word : all)
            word = ~0ul;
        done_ = system_call(SYS_rt_sigprocmask, SIG_BLOCK, all, before_, _NSIG / 8) == 0;
    }
    ~AllSignalsBlocked() {
        if (done_)
            system_call(SYS_rt_sigprocmask, SIG_SETMASK, before_, nullptr, _NSIG / 8);
    }
    AllSignalsBlocked(const AllSignalsBlocked&) = delete;
    AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;

    bool done() const { return done_; } // a seccomp filter may forbid it

private:
    unsigned long before_[16]; // as large as the kernel's set of signals is anywhere
    bool done_;
};

} // namespace vftr::base
