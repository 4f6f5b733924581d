// SPDX-License-Identifier: BSD-3-Clause
//
// Parallel regions and the constructs in them.
//
// The forking thread is in the region's entry of its own path from begin to end; every other thread of the team works
// for that entry. A worker's part ends when it arrives at the end of the region: only when the worker is needed again,
// or ends, does the runtime report that its barrier is over, and the time until then is charged to no call path.
#include "base/clock.hpp"
#include "openmp/ompt_callbacks.hpp"
#include "openmp/open_construct.hpp"
#include "openmp/runtimes.hpp"
#include "openmp/unreported_part.hpp"
#include "openmp/work_context.hpp"
#include "record/entries/constructs.hpp"

namespace vftr::openmp {

using record::construct_key;
using vfd::Construct;

namespace {

// A worker's part in a team.
struct Part {
    std::uint64_t region; // a WorkContext; 0: it has none
    bool arrived;         // the worker has arrived at the end of the region
};
__thread Part part __attribute__((tls_model("initial-exec"))) = {};

// The call site of the taskgroup that this thread began last. For a taskloop LLVM's runtime reports a call site within
// the runtime; but compilers put a taskgroup around a taskloop, unless the program says nogroup.
__thread const void* taskgroup __attribute__((tls_model("initial-exec"))) = nullptr;

const void* program_of(const void* code) { return taskgroup && left_to_ompt(code) ? taskgroup : code; }

void enter(Construct construct, const void* code) {
    record::enter_construct(construct_key(construct, in_the_program(code)));
}
bool leave(Construct construct) {
    const std::uint64_t key = open_construct(construct);
    return key != 0 && record::leave_construct(key) == record::Left::Matched;
}
void at(ompt_scope_endpoint_t endpoint, Construct construct, const void* code) {
    if (endpoint == ompt_scope_begin)
        enter(construct, code);
    else if (endpoint == ompt_scope_end)
        leave(construct);
}

Construct construct_of(int parallel_flags) {
    return static_cast<unsigned>(parallel_flags) & ompt_parallel_league ? Construct::Teams : Construct::Parallel;
}

// The innermost entry with this key, which must be open.
const vfd::Frame& frame_of(std::uint64_t key) {
    const record::ThreadState& state = *record::current;
    const vfd::Frame* frame = state.top;
    while (state.nodes[frame->node].key != key)
        --frame;
    return *frame;
}

// The worker is marked here, too, because a worker that began before vftrace was active has not been reported.
void begin_part(WorkContext region) {
    record::mark_worker();
    if (region.has_place() && record::begin_attributed_work(region.place()))
        part = {region.value(), false};
}

void end_part() {
    if (part.region != 0 && !part.arrived)
        record::end_attributed_work(WorkContext(part.region).place());
    part = {};
}

// The lock that this thread has asked for last. LLVM's runtime reports that a thread asks for a lock even if the thread
// only tries to get it, and a failed try is followed by no report. So the wait is recorded when the thread has the
// lock.
struct Wait {
    const void* code;
    std::uint64_t since; // ticks
};
__thread Wait lock __attribute__((tls_model("initial-exec"))) = {};

void have_lock() {
    const std::uint64_t key = construct_key(Construct::Lock, lock.code),
                        now = base::read_ticks(); // read before a path is made for the wait
    if (lock.since != 0 && record::enter_construct(key, lock.since))
        record::leave_construct(key, now);
    lock.since = 0;
}

bool is_end_of_region(ompt_sync_region_t kind, const void* code) {
    if (kind == ompt_sync_region_barrier_implicit_parallel)
        return true;
    return code == nullptr &&
           (kind == ompt_sync_region_barrier_teams || static_cast<int>(kind) == 2); // 2: in OpenMP before 5.1
}

Construct construct_of(ompt_sync_region_t kind) {
    switch (static_cast<int>(kind)) {
    case 1: // in OpenMP before 5.0
    case ompt_sync_region_barrier_explicit:
        return Construct::Barrier;
    case ompt_sync_region_taskwait:
        return Construct::Taskwait;
    case ompt_sync_region_taskgroup:
        return Construct::Taskgroup;
    case ompt_sync_region_reduction:
        return Construct::Reduction;
    default:
        return Construct::ImplicitBarrier;
    }
}

Construct construct_of(ompt_work_t kind) {
    switch (kind) {
    case ompt_work_sections:
        return Construct::Sections;
    case ompt_work_single_executor:
        return Construct::Single;
    case ompt_work_workshare:
        return Construct::Workshare;
    case ompt_work_distribute:
        return Construct::Distribute;
    case ompt_work_taskloop:
        return Construct::Taskloop;
    case ompt_work_scope:
        return Construct::Scope;
    default:
        return Construct::Loop;
    }
}

// Returns Construct{} for a mutex that no thread waits for.
Construct construct_of(ompt_mutex_t kind) {
    switch (kind) {
    case ompt_mutex_lock:
    case ompt_mutex_nest_lock:
        return Construct::Lock;
    case ompt_mutex_critical:
        return Construct::Critical;
    case ompt_mutex_atomic:
        return Construct::Atomic;
    case ompt_mutex_ordered:
        return Construct::Ordered;
    default:
        return Construct{};
    }
}

} // namespace

void on_thread_begin(ompt_thread_t type, ompt_data_t*) {
    if (type == ompt_thread_worker)
        record::mark_worker();
}

// A region that the program did not call for is a part of the construct that surrounds it: each team of a teams
// construct begins with such a region.
void on_parallel_begin(ompt_data_t*, const ompt_frame_t* frame, ompt_data_t* parallel, unsigned, int flags,
                       const void* code) {
    WorkContext region(record::CallInstance{vfd::NoThread, vfd::NoNode, 0});
    if (!code && record::is_ready(*record::materialized_thread()))
        region = WorkContext(record::innermost_call()).implied();
    else if (code && record::enter_construct(construct_key(construct_of(flags), in_the_program(code)), 0,
                                             stack_pointer_of(frame)))
        region = WorkContext(record::innermost_call());
    parallel->value = region.value();
}

void on_parallel_end(ompt_data_t* parallel, ompt_data_t*, int flags, const void*) {
    const WorkContext region(parallel->value);
    const std::uint64_t key = region.entered() ? open_construct(construct_of(flags)) : 0;
    if (key == 0)
        return;
    const vfd::Frame& frame = frame_of(key);
    const std::uint64_t now = base::read_ticks();
    // A direct recursion adds no time of its own.
    const std::uint64_t passed = frame.flags & vfd::FrameFolded || now < frame.enter ? 0 : now - frame.enter;
    const record::CallInstance place{record::current->record->index, frame.node, 0};
    const std::uint64_t before = record::cut_out_here();
    record::leave_construct(key, now);
    const std::uint64_t cut_out = record::cut_out_here() - before;
    record::count_team(place, region.threads(), (passed - std::min(passed, cut_out)) * region.threads());
}

void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t*, unsigned threads,
                      unsigned index, int) {
    if (endpoint == ompt_scope_end) {
        if (index != 0)
            end_part();
        return;
    }
    // The forking thread writes the number of threads while the other threads read the path that they work for.
    const WorkContext region(parallel ? __atomic_load_n(&parallel->value, __ATOMIC_RELAXED) : 0);
    if (!region.is_ours())
        return;
    if (index == 0)
        __atomic_store_n(&parallel->value, region.with_threads(threads).value(), __ATOMIC_RELAXED);
    else
        begin_part(region);
}

void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*,
                    const void* code) {
    if (kind == ompt_sync_region_taskgroup)
        taskgroup = endpoint == ompt_scope_begin ? code : nullptr;
}

// If a worker has arrived at a barrier without a call site that was taken for the end of its region, and the barrier's
// end names a region, then it was another barrier, and the worker goes on in its region.
void on_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task,
             const void* code) {
    const Construct construct = construct_of(kind);
    if (endpoint == ompt_scope_begin) {
        if (part.region == 0 || part.arrived || !is_end_of_region(kind, code))
            return enter(construct, code);
        record::end_attributed_work(WorkContext(part.region).place());
        part.arrived = true;
    } else if (endpoint == ompt_scope_end) {
        bool left = leave(construct);
        while (!left && end_unreported_part(task))
            left = leave(construct);
        if (!left && part.arrived && parallel && construct == Construct::ImplicitBarrier)
            begin_part(WorkContext(part.region));
    }
}

void on_reduction(ompt_sync_region_t, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*, const void* code) {
    at(endpoint, Construct::Reduction, code);
}

void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*, std::uint64_t,
             const void* code) {
    if (kind != ompt_work_single_other)
        at(endpoint, construct_of(kind), program_of(code));
}

void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*, const void* code) {
    at(endpoint, Construct::Masked, code);
}

void on_mutex_acquire(ompt_mutex_t kind, unsigned, unsigned, ompt_wait_id_t, const void* code) {
    const Construct construct = construct_of(kind);
    if (construct == Construct::Lock)
        lock = {in_the_program(code), base::read_ticks()};
    else if (construct != Construct{})
        enter(construct, code);
}

void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t, const void*) {
    const Construct construct = construct_of(kind);
    if (construct == Construct::Lock)
        have_lock();
    else if (construct != Construct{})
        leave(construct);
}

// The owner of a nestable lock has acquired it once more.
void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t, const void*) {
    if (endpoint == ompt_scope_begin)
        have_lock();
}

void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int, ompt_data_t*, ompt_id_t, const void* code) {
    at(endpoint, kind == ompt_target || kind == ompt_target_nowait ? Construct::Target : Construct::TargetData, code);
}

void on_target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t* task, ompt_data_t*,
                   ompt_data_t*, const void* code) {
    on_target(kind, endpoint, device, task, 0, code);
}

} // namespace vftr::openmp
