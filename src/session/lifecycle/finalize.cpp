// SPDX-License-Identifier: BSD-3-Clause
//
// The end of the recording when the process exits. No failure here may end the program, which has done its work.
#include "session/lifecycle/finalize.hpp"

#include "base/cancellation.hpp"
#include "base/clock.hpp"
#include "base/errno_preserved.hpp"
#include "base/memory.hpp"
#include "base/message.hpp"
#include "base/own_descriptors.hpp"
#include "base/own_stack.hpp"
#include "follow/process_role.hpp"
#include "output/job_decision.hpp"
#include "record/budget/budget.hpp"
#include "record/header_totals.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/hot/thread_state.hpp"
#include "record/observers.hpp"
#include "record/pause.hpp"
#include "record/recorder.hpp"
#include "record/stream/packing.hpp"
#include "record/stream/shrink.hpp"
#include "record/timing/living_threads.hpp"
#include "record/timing/off_cpu.hpp"
#include "record/timing/one_time_work.hpp"
#include "record/used_memory.hpp"
#include "session/allocator_reentrancy.hpp"
#include "session/results/results.hpp"
#include "session/session.hpp"

#include <atomic>
#include <exception>

namespace vftr::session {

using record::Phase;
using record::recorder;

namespace {

constexpr std::size_t StackToEnd = 8 << 20;

int exit_status = -1; // not known

struct Ending {
    Session& session;
    record::ThreadState* thread; // the thread that ends the process; nullptr: it is not recorded now
    std::uint64_t begin;         // ticks
};

// The time since `begin` was spent by vftrace, and is charged to it.
void stop_clock(const Ending& ending) {
    if (ending.thread)
        record::charge_one_time_work(*ending.thread, ending.begin);
    ending.session.ending.begin();
    record::put_end(recorder.writer.header());
}

void write_exit_status() {
    if (exit_status < 0)
        return;
    vfd::FileHeader& header = recorder.writer.header();
    header.exit_status = exit_status;
    std::atomic_ref(header.flags).fetch_or(vfd::FlagExitStatus);
}

// From here on, the file needs nothing from its process any more.
void seal() {
    std::atomic_ref(recorder.writer.header().state).store(vfd::FileState::Sealed, std::memory_order_release);
}

void finish(void* data) {
    const Ending& ending = *static_cast<const Ending*>(data);
    Session& s = ending.session;
    try {
        record::begin_own_phase();
        record::end_packing();
        record::end_budget();
        update_totals();
        record::take_cpu_of_living_threads();
        stop_clock(ending);
        write_exit_status();
        base::with_own_descriptors([&] {
            if (recording_is_kept(s))
                store_symbols(s);
            seal();
            write_last_results(s);
            if (!s.rank_files.empty())
                output::release_job(s.output, s.rank_files, recorder.writer.header());
        });
    } catch (const std::exception& error) {
        base::warn("no profile is written: ", error.what(), "; the recording is in ", recorder.writer.path());
    }
}

} // namespace

void keep_exit_status(int status) { exit_status = status & 0xff; }

void finalize() {
    base::CancellationDeferred deferred;
    // A child that shares this memory (clone with CLONE_VM) may call exit.
    if (follow::process_role() == follow::ProcessRole::Borrowed)
        return;
    record::observers.end_delivery();
    if (!running())
        return;
    Phase phase = Phase::Running;
    if (!recorder.phase.compare_exchange_strong(phase, Phase::Ended))
        return;
    const base::ErrnoPreserved preserved;
    Ending ending{*session, nullptr, 0};
    {
        record::HeldGuard guard;
        record::charge_pause_here();
        record::charge_off_cpu_here();
        ending.thread = record::recorded_thread();
        ending.begin = base::read_ticks();
    }
    record::close_last_thread();
    if (record::embedded())
        return;
    if (allocator_is_interrupted())
        base::warn("no profile is written: exit was called by a signal handler within malloc; the recording is in ",
                   recorder.writer.path());
    else if (!base::may_call_malloc())
        base::warn("no profile is written: a sandbox (seccomp) forbids the program to get memory; the recording is in ",
                   recorder.writer.path());
    else
        base::on_own_stack(StackToEnd, base::Signals::AsTheyAre, finish, &ending);
}

} // namespace vftr::session
