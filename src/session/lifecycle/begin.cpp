// SPDX-License-Identifier: BSD-3-Clause
//
// Begins the recording at the first event of a process or of a forked child.
//
// A child of fork has a copy of everything but must not touch its parent's file. The file's mappings are not inherited
// (MADV_DONTFORK); the threads' states and the guard page (record/threads/forked_child.hpp) are inherited as zeros
// (MADV_WIPEONFORK). So the child's first event finds its thread not recording and the guard page empty, forgets what
// it inherited, and begins anew with a file of its own. This works for every kind of fork, and a child that never calls
// a hook has no cost.
#include "session/session.hpp"

#include "base/clock.hpp"
#include "base/compiler.hpp"
#include "base/memory.hpp"
#include "base/message.hpp"
#include "base/own_stack.hpp"
#include "base/process.hpp"
#include "follow/inherited_environment.hpp"
#include "follow/process_role.hpp"
#include "follow/trace.hpp"
#include "record/observers.hpp"
#include "record/recorder.hpp"
#include "record/threads/forked_child.hpp"
#include "record/threads/thread_lifetime.hpp"
#include "record/threads/thread_records.hpp"
#include "record/threads/thread_start.hpp"
#include "record/used_memory.hpp"
#include "session/lifecycle/before_main.hpp"
#include "session/lifecycle/state.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <sched.h>
#include <string>
#include <unistd.h>

namespace vftr::session {

using record::Phase;
using record::recorder;

namespace {

constexpr std::size_t StackToStart = 1 << 20;

const config::Loaded* loaded = nullptr;
bool ends_prepared = false;
std::atomic<pid_t> starter{0}; // the process whose thread set the phase Starting
__thread bool starting_here = false;
__thread bool waited_in_vain = false;

// False if the configuration is just being read by a caller of this function (an instrumented malloc calls hooks).
bool load_configuration() {
    loaded = follow::configuration();
    if (loaded)
        follow::report_configuration_mistakes();
    return loaded != nullptr;
}

void trace_forked_child() {
    const follow::Options& options = follow::options();
    follow::trace(options.trace_path, {"fork-child", recorder.writer.header().executable, options.checkpoint, nullptr,
                                       options.chain, nullptr, 0, 0});
}

// Tries to begin the recording; returns the phase that follows Starting.
Phase try_start() {
    const bool first_try = !loaded;
    if (first_try)
        base::choose_tick_source();
    const base::Moment begin = base::read_moment();
    if (first_try)
        record::note_off_cpu_of_start();
    if (!loaded) {
        if (config::off_by_environment())
            return Phase::Off;
        if (!base::can_throw()) {
            base::warn("recording does not start: no memory");
            return Phase::Off;
        }
        if (!load_configuration())
            return Phase::Idle;
    }
    if (loaded->config.off)
        return Phase::Off;
    if (!loaded->config.include_cxx_prelude && !main_has_begun())
        return Phase::Idle;
    if (!first_try)
        record::note_off_cpu_of_start();
    bool forked = session != nullptr;
    auto* fresh = new Session;
    fresh->begin = begin;
    fresh->loaded = *loaded;
    fresh->of_parent = session;
    fresh->origin = own_origin(forked);
    record::observers.choose_sink(forked);
    if (!record::mark_begun() || !start(*fresh))
        return Phase::Off;
    recorder.beginning = begin.ticks;
    session = fresh;
    if (forked && !record::embedded())
        trace_forked_child();
    if (!ends_prepared)
        ends_prepared = record::prepare_thread_ends();
    return Phase::Running;
}

Phase start_contained() {
    try {
        return try_start();
    } catch (const std::exception& error) {
        base::warn("recording does not start: ", error.what());
    }
    return Phase::Off;
}

// Measures the memory of the start, but only if there is something to begin: before main, every event comes here.
Phase start_measured() {
    if ((loaded && (loaded->config.off || (!loaded->config.include_cxx_prelude && !main_has_begun()))) ||
        config::off_by_environment() || !base::can_throw())
        return start_contained();
    record::begin_own_phase(session || !loaded);
    const Phase next = start_contained();
    record::end_own_phase();
    return next;
}

void start_here(void* next) { *static_cast<Phase*>(next) = start_measured(); }

void forget_parent() {
    recorder.writer.abandon();
    record::forget_records();
    record::forget_thread_starts();
    recorder.clock_reader_since = 0;
    recorder.paused = false;
    recorder.named_calls = 0;
    recorder.refused_threads = 0;
    recorder.threads_without_ring = 0;
}

// Waits while another thread starts the recording, which takes milliseconds. The wait is limited, since that thread may
// be waiting for this one.
bool wait_for_start() {
    if (starting_here || waited_in_vain)
        return false;
    for (int i = 0; i < 100000 && recorder.phase.load(std::memory_order_acquire) == Phase::Starting; ++i)
        sched_yield();
    waited_in_vain = recorder.phase.load() == Phase::Starting;
    return recorder.phase.load() == Phase::Running;
}

// True if this thread has set the phase Starting, and so is the one that starts the recording.
bool claim_start(Phase from) {
    starter = getpid();
    return recorder.phase.compare_exchange_strong(from, Phase::Starting);
}

// True if this process was forked while another thread of its parent was starting the recording. That thread does not
// exist here, so the calling thread takes the start over.
bool start_is_orphaned() {
    pid_t pid = getpid(), owner = starter.load();
    return owner != 0 && owner != pid && !starting_here && starter.compare_exchange_strong(owner, pid);
}

bool start_now() {
    starting_here = true;
    Phase next = Phase::Off;
    base::on_own_stack(StackToStart, base::Signals::Blocked, start_here, &next);
    starting_here = false;
    recorder.phase.store(next, std::memory_order_release);
    return next == Phase::Running;
}

} // namespace

bool begin_if_due() {
    bool forked = record::in_forked_child();
    switch (recorder.phase.load(std::memory_order_acquire)) {
    case Phase::Idle:
        return claim_start(Phase::Idle) ? start_now() : wait_for_start();
    case Phase::Running:
        if (!forked)
            return true;
        if (!claim_start(Phase::Running))
            return wait_for_start();
        forget_parent();
        return start_now();
    case Phase::Starting:
        return start_is_orphaned() ? start_now() : wait_for_start();
    default:
        return false;
    }
}

bool running() {
    return recorder.phase.load(std::memory_order_acquire) == Phase::Running && !record::in_forked_child();
}

const config::Config& configuration() { return session->loaded.config; }

} // namespace vftr::session
