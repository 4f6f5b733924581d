// SPDX-License-Identifier: BSD-3-Clause
//
// The callbacks that OpenMP runtimes call by OMPT. Each is called from within the runtime, by the thread that causes
// the event. They use no malloc and no lock, and preserve errno.
//
// Not all of their arguments may be used: in the callbacks of a taskgroup LLVM's runtime passes meaningless addresses
// as the data of a region or task, and at the end of a region it passes none.
#pragma once

#include "config.h"

#include <cstddef>
#include <cstdint>
#include OMP_TOOLS_H

namespace vftr::openmp {

// The stack address at which the runtime's own frames begin, below the function that called it. It is 0 if that is not
// known (the given address is one within that function).
inline std::uint64_t stack_pointer_of(const ompt_frame_t* frame) {
    return frame && !(frame->enter_frame_flags & ompt_frame_application)
               ? reinterpret_cast<std::uint64_t>(frame->enter_frame.ptr)
               : 0;
}

void on_thread_begin(ompt_thread_t type, ompt_data_t* thread);
void on_parallel_begin(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* parallel, unsigned requested,
                       int flags, const void* code);
void on_parallel_end(ompt_data_t* parallel, ompt_data_t* task, int flags, const void* code);
void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task, unsigned threads,
                      unsigned index, int flags);
void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task,
                    const void* code);
void on_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task,
             const void* code);
void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task,
                  const void* code);
void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task,
             std::uint64_t count, const void* code);
void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task, const void* code);
void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned implementation, ompt_wait_id_t id, const void* code);
void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void* code);
void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t id, const void* code);
void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t* task, ompt_id_t target,
               const void* code);
void on_target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t* task,
                   ompt_data_t* target_task, ompt_data_t* target, const void* code);
void on_task_create(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* created, int flags, int has_dependences,
                    const void* code);
void on_task_schedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next);

} // namespace vftr::openmp
