// SPDX-License-Identifier: BSD-3-Clause
//
// The wrapper of thrd_create, which does not call pthread_create by a name that can be interposed. It is in the shared
// library only: in a fully static executable there is no other thrd_create that it could call.
#include "base/compiler.hpp"
#include "base/next_function.hpp"
#include "session/interpose/thread_entries.hpp"

#include <atomic>
#include <threads.h>

using vftr::record::StartRoutine;
using vftr::record::ThreadStart;

namespace {

using Create = int(thrd_t*, thrd_start_t, void*);

std::atomic<Create*> found_create;

} // namespace

// vftr_start_thread jumps to the thread's function, whose result is returned unchanged, be it an int or a pointer.
extern "C" VFTR_INTERPOSED int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
    Create* real = vftr::base::kept_next_function(found_create, "thrd_create");
    if (!real)
        return thrd_error;
    void* start = reinterpret_cast<void*>(function);
    ThreadStart* thread_start =
        vftr::session::create_thread_start(start, reinterpret_cast<StartRoutine>(start), argument);
    if (!thread_start)
        return real(thread, function, argument);
    int error = real(thread, reinterpret_cast<thrd_start_t>(reinterpret_cast<void*>(vftr_start_thread)), thread_start);
    if (error != thrd_success)
        vftr::record::cancel_thread_start(thread_start);
    return error;
}
