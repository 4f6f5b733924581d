// SPDX-License-Identifier: BSD-3-Clause
//
// The wrapper of clone, by which the recorder learns of a process that uses the thread-local data of its creator
// (record/threads/shared_thread.hpp). It is in the shared library only: in a fully static executable it would be the
// only function of this name. The last three arguments are there only where the flags ask for them; the C library's
// function, too, reads them always. As <sched.h> declares it with an ellipsis, it has another name in C++.
#include "base/compiler.hpp"
#include "base/next_function.hpp"
#include "record/threads/forked_child.hpp"
#include "record/threads/share_thread.hpp"

#include <atomic>
#include <cerrno>
#include <sched.h>
#include <sys/types.h>

namespace {

using Clone = int(int (*)(void*), void*, int, void*, pid_t*, void*, pid_t*);

std::atomic<Clone*> found_clone;

} // namespace

extern "C" {

VFTR_INTERPOSED int vftr_clone(int (*function)(void*), void* stack, int flags, void* argument, pid_t* parent_tid,
                               void* thread_data, pid_t* child_tid) __asm__("clone");

int vftr_clone(int (*function)(void*), void* stack, int flags, void* argument, pid_t* parent_tid, void* thread_data,
               pid_t* child_tid) {
    Clone* real = vftr::base::kept_next_function(found_clone, "clone");
    if (!real) {
        errno = ENOSYS;
        return -1;
    }
    if ((flags & (CLONE_VM | CLONE_SETTLS | CLONE_VFORK)) == CLONE_VM && !vftr::record::in_forked_child())
        vftr::record::share_thread();
    return real(function, stack, flags, argument, parent_tid, thread_data, child_tid);
}

} // extern "C"
