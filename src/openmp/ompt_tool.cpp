// SPDX-License-Identifier: BSD-3-Clause
//
// The entry point for OMPT. An OpenMP runtime that knows OMPT looks for ompt_start_tool when it is first used, and
// calls the first one that the dynamic linker finds: one of the program itself, else that of vftrace, before those of
// the libraries that OMP_TOOL_LIBRARIES names. If nothing is to be recorded, vftrace returns no tool; then the runtime
// searches further, and OMPT costs nothing.
#include "base/compiler.hpp"
#include "openmp/ompt_callbacks.hpp"
#include "openmp/runtimes.hpp"
#include "record/hot/reentrancy_guard.hpp"

namespace vftr::openmp {

namespace {

template <class Callback>
ompt_callback_t plain(Callback* callback) {
    return reinterpret_cast<ompt_callback_t>(callback);
}

struct Row {
    ompt_callbacks_t event;
    ompt_callback_t callback;
};

int initialize(ompt_function_lookup_t lookup, int, ompt_data_t*) {
    const Row rows[] = {
        {ompt_callback_thread_begin, plain(on_thread_begin)},
        {ompt_callback_parallel_begin, plain(on_parallel_begin)},
        {ompt_callback_parallel_end, plain(on_parallel_end)},
        {ompt_callback_implicit_task, plain(on_implicit_task)},
        {ompt_callback_sync_region, plain(on_sync_region)},
        {ompt_callback_sync_region_wait, plain(on_wait)},
        {ompt_callback_reduction, plain(on_reduction)},
        {ompt_callback_work, plain(on_work)},
        {ompt_callback_masked, plain(on_masked)},
        {ompt_callback_mutex_acquire, plain(on_mutex_acquire)},
        {ompt_callback_mutex_acquired, plain(on_mutex_acquired)},
        {ompt_callback_nest_lock, plain(on_nest_lock)},
        {ompt_callback_task_create, plain(on_task_create)},
        {ompt_callback_task_schedule, plain(on_task_schedule)},
    };
    auto set = reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback"));
    if (!set)
        return 0;
    leave_to_ompt(reinterpret_cast<const void*>(lookup));
    for (const Row& row : rows)
        set(row.event, row.callback); // events that the runtime never reports are missing in the tables
    if (set(ompt_callback_target_emi, plain(on_target_emi)) <= ompt_set_impossible)
        set(ompt_callback_target, plain(on_target));
    return 1;
}

void finalize(ompt_data_t*) {}

ompt_start_tool_result_t tool{initialize, finalize, {0}};

// The call is an event like others: the recording begins with it, if main has begun.
bool is_wanted(std::uint64_t stack_pointer) {
    if (record::current->guard == record::GuardOff)
        record::prepare(record::Wanted::Enter, stack_pointer);
    switch (record::recorder.phase.load(std::memory_order_acquire)) {
    case record::Phase::Running:
        return record::recorder.settings.constructs;
    case record::Phase::Off:
    case record::Phase::Ended:
        return false;
    default:
        return true;
    }
}

} // namespace

} // namespace vftr::openmp

extern "C" VFTR_PUBLIC ompt_start_tool_result_t* ompt_start_tool(unsigned omp_version, const char* runtime_version);

ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*) {
    return vftr::openmp::is_wanted(reinterpret_cast<std::uint64_t>(__builtin_dwarf_cfa())) ? &vftr::openmp::tool
                                                                                           : nullptr;
}
