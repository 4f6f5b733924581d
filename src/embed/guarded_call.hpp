// SPDX-License-Identifier: BSD-3-Clause
//
// Calls a callback such that no exception of the program leaves the call.
//
// Why this is not done by try and catch: the exception comes from the program's C++ run time, whereas libvftrace has a
// private copy of that run time, which the program never sees (src/library.am). The program's unwinder would look for a
// catch clause of the library through the personality routine of the library's run time, which knows only the unwinder
// that it was built with. Whether the two agree on their internal data is a matter of chance.
//
// Therefore the calling frame is written in assembly, with a personality routine of its own that asks the unwinder
// nothing. In the first phase it answers that it will catch the exception. When it is called again, the unwinder has
// run the destructors of the callback and of what the callback called. The routine then ends the exception by means of
// the run time that the exception belongs to, and lets the unwinder continue in the calling frame, after the call, as
// if the callback had returned. A forced unwinding (pthread_exit, cancellation) goes on through the frame, and the
// routine does the necessary clean-up on the way.
#pragma once

#include "base/compiler.hpp"

#include <cstdint>

#if defined(__x86_64__) || defined(__aarch64__)
#define VFTR_GUARDED_FRAME 1
// Calls function(user, event). Writes the stack pointer of its frame to `landing`.
extern "C" __attribute__((visibility("hidden"))) void
vftr_guarded_call(void (*function)(void*, const void*), void* user, const void* event, std::uint64_t* landing);
#else
#define VFTR_GUARDED_FRAME 0 // exceptions of the program end the process
#endif

namespace vftr::record {
struct ThreadState;
}

namespace vftr::embed {

// The stack pointer in the frame of the latest guarded call; guarded calls do not nest. As long as the frame exists,
// the word there holds its own address.
extern __thread std::uint64_t landing __attribute__((tls_model("initial-exec")));

// Calls function(user, event). An exception that it throws ends here.
VFTR_INLINE void guarded_call(void (*function)(void*, const void*), void* user, const void* event) {
#if VFTR_GUARDED_FRAME
    vftr_guarded_call(function, user, event, &landing);
#else
    landing = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
    function(user, event);
#endif
}

// record/observers.hpp says what these two functions do.
bool callback_is_there(std::uint64_t stack_pointer, bool look_closely);
void abandon_callback(record::ThreadState& state);

// Exceptions that ended in a guarded call of this process.
std::uint64_t exceptions_caught();

} // namespace vftr::embed
