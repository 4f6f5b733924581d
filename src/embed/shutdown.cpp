// SPDX-License-Identifier: BSD-3-Clause
#include "embed/shutdown.hpp"

#include "embed/guarded_call.hpp"
#include "embed/registration.hpp"
#include "embed/wait.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"
#include "record/threads/thread_records.hpp"
#include "session/lifecycle/finalize.hpp"

#include <sched.h>

namespace vftr::embed {

using record::Phase;
using record::recorder;

namespace {

enum class Step { Open, Closing, Finishing, Done };

std::atomic<Step> step{Step::Open};
std::atomic<Registration*> last{nullptr}; // receives the totals
__thread bool finishing_here = false;

constexpr int LongestWaitAtExit = 1000; // ms
constexpr long Millisecond = 1000;

// Prevents new calls, and makes threads whose call ends see that the end has come.
void hold_guard_of_callbacks() {
    closing = true;
    if (Registration* r = withdraw())
        last = r;
}

// From now on any thread may finish when its call ends.
void let_the_last_finish() {
    Step open = Step::Open;
    step.compare_exchange_strong(open, Step::Closing);
}

vftrace_totals totals() {
    vftrace_totals totals{};
    totals.size = sizeof totals;
    for (record::ThreadState* state = recorder.threads.load(); state; state = state->next) {
        totals.delivered += __atomic_load_n(&state->subscription.delivered, __ATOMIC_RELAXED);
        totals.dropped += __atomic_load_n(&state->record->dropped, __ATOMIC_RELAXED);
        totals.nested += __atomic_load_n(&state->subscription.nested, __ATOMIC_RELAXED);
        totals.nameless += __atomic_load_n(&state->subscription.nameless, __ATOMIC_RELAXED);
    }
    totals.exceptions = exceptions_caught();
    totals.under_way = under_way();
    return totals;
}

void dispatch_totals() {
    Registration* r = last.exchange(nullptr);
    if (!r)
        return;
    if (r->callbacks.finished) {
        record::HeldGuard guard;
        const vftrace_totals all = totals();
        guarded_call(reinterpret_cast<void (*)(void*, const void*)>(r->callbacks.finished), r->callbacks.user, &all);
    }
    delete r;
}

void finish() {
    finishing_here = true;
    dispatch_totals();
    Phase idle = Phase::Idle;
    if (!recorder.phase.compare_exchange_strong(idle, Phase::Off)) {
        while (recorder.phase.load() == Phase::Starting)
            sched_yield();
        session::finalize();
    }
    finishing_here = false;
    step = Step::Done;
}

bool try_to_finish() {
    Step closing_now = Step::Closing;
    if (!step.compare_exchange_strong(closing_now, Step::Finishing))
        return step.load() == Step::Done;
    finish();
    return true;
}

} // namespace

void finish_if_last() {
    if (step.load() == Step::Closing && !in_callback() && under_way() == 0)
        try_to_finish();
}

int shut_down() {
    hold_guard_of_callbacks();
    let_the_last_finish();
    record::request_slow_path_of_all();
    if (in_callback() || finishing_here)
        return step.load() == Step::Done ? VFTRACE_OK : VFTRACE_PENDING;
    for (int tries = 0; step.load() != Step::Done; ++tries) {
        finish_if_last();
        if (step.load() != Step::Done)
            wait_a_little(tries, Millisecond);
    }
    return VFTRACE_OK;
}

void end_delivery() {
    if (finishing_here || step.load() == Step::Done)
        return;
    hold_guard_of_callbacks();
    for (int tries = 0; tries < LongestWaitAtExit && !in_callback() && under_way() != 0; ++tries)
        wait_a_little(tries, Millisecond);
    // The exiting thread finishes itself, even after vftrace_shutdown has been called, unless another thread is already
    // finishing: any other thread might not be done in time.
    Step before = Step::Open;
    if (!step.compare_exchange_strong(before, Step::Finishing) &&
        !(before == Step::Closing && step.compare_exchange_strong(before, Step::Finishing))) {
        // The process must not end before the results are written.
        for (int tries = 0; tries < LongestWaitAtExit && step.load() == Step::Finishing; ++tries)
            wait_a_little(tries, Millisecond);
        return;
    }
    finishing_here = true;
    dispatch_totals();
    finishing_here = false;
    step = Step::Done;
}

void finisher_leaves() {
    if (!finishing_here)
        return;
    finishing_here = false;
    session::finalize();
    step = Step::Done;
}

void forget_finisher() {
    if (step.load() == Step::Finishing && !finishing_here)
        step = Step::Done;
}

} // namespace vftr::embed
