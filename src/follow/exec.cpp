// SPDX-License-Identifier: BSD-3-Clause
#include "follow/exec.hpp"

#include "base/system_call.hpp"
#include "follow/mark.hpp"
#include "follow/nested.hpp"
#include "follow/next_program.hpp"
#include "follow/own_environment.hpp"
#include "follow/trace.hpp"
#include "record/observers.hpp"
#include "record/recorder.hpp"

#include <cerrno>
#include <csignal>

namespace vftr::follow {

__thread volatile RealCallInForce in_real_call __attribute__((tls_model("initial-exec"))) = {};

namespace {

int as_libc(long result) {
    if (result >= 0)
        return static_cast<int>(result);
    errno = static_cast<int>(-result);
    return -1;
}

int call_real(const Request& r, Texts envp) {
    switch (r.way) {
    case Way::Path:
        return real_execve(r.path, r.argv, envp);
    case Way::Search:
        return real_execvpe(r.path, r.argv, envp);
    case Way::Descriptor:
        return real_fexecve(r.directory, r.argv, envp);
    case Way::Relative:
        return real_execveat(r.directory, r.path, r.argv, envp, r.flags);
    case Way::Call:
        return as_libc(base::system_call(SYS_execve, r.path, r.argv, envp));
    case Way::CallAt:
        return as_libc(base::system_call(SYS_execveat, r.directory, r.path, r.argv, envp, r.flags));
    }
    return as_libc(-ENOSYS);
}

bool in_signal_handler_perhaps() {
    sigset_t blocked;
    return sigprocmask(SIG_SETMASK, nullptr, &blocked) != 0 || !sigisemptyset(&blocked);
}

// A program that is linked with vftrace is meant to be recorded: if it executes another program before its first
// recorded call, it leaves an empty recording. Beginning one allocates, so this is not done where the code may be
// running in a signal handler. A preloaded program (a shell, say) is not recorded until it calls a hook.
void begin_empty_recording() {
    if (record::recorder.phase.load(std::memory_order_relaxed) == record::Phase::Idle &&
        !inherited_environment().preloaded && options().checkpoint && is_the_one_loaded() && single_threaded() &&
        !in_signal_handler_perhaps())
        record::observers.begin_if_due();
}

// One exec that is intercepted.
class Attempt {
public:
    Attempt(const Request& request, int error_before)
        : request_(request), here_(process_role()), error_before_(error_before) {}

    int run() {
        row("exec-before", 0, 0);
        mark();
        char parent[inherit::ProvenanceSize];
        int result =
            with_environment(request_.envp, next_provenance(here_, 0, parent), [this](const inherit::Plan& plan) {
                plan_ = plan.action;
                bool changed = plan.environment != request_.envp;
                row(changed ? "exec-env-injected" : "exec-env-unchanged", 0, 0);
                int tried = execute_with(plan.environment);
                return changed && error_ == E2BIG ? execute_with(request_.envp) : tried;
            });
        if (marked_)
            undo_executed();
        row("exec-failed", result, error_);
        errno = error_;
        return result;
    }

private:
    void row(const char* event, int result, int error) const {
        const Options& o = options();
        trace(o.trace_path, {event, request_.path, o.checkpoint, mark_, o.chain, plan_, result, error});
    }

    void mark() {
        if (!options().checkpoint || here_ != ProcessRole::Recorded)
            return;
        marked_ = mark_executed();
        mark_ = marked_ ? "ok" : "failed";
        row(marked_ ? "exec-checkpoint-ok" : "exec-checkpoint-failed", 0, 0);
    }

    int execute_with(Texts envp) {
        RealCall call;
        errno = error_before_;
        int result = call_real(request_, envp);
        error_ = errno;
        return result;
    }

    const Request& request_;
    ProcessRole here_;
    int error_before_, error_ = 0;
    bool marked_ = false;
    const char *mark_ = nullptr, *plan_ = nullptr;
};

} // namespace

int execute(const Request& request) {
    int error_before = errno;
    if (nested() || !should_intercept() || !arguments_are_readable(request.path, request.argv, request.envp)) {
        errno = error_before;
        return call_real(request, request.envp);
    }
    begin_empty_recording();
    return Attempt(request, error_before).run();
}

} // namespace vftr::follow
