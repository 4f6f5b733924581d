// SPDX-License-Identifier: BSD-3-Clause
//
// The call of a callback, which no exception of the program leaves.
//
// Why not try and catch. What is thrown comes from the program's C++ run time, which is not ours: libvftrace has a copy
// of its own that the program never sees (src/library.am). A catch of ours would be asked by the program's unwinder,
// through our run time's personality routine, which knows only the unwinder that it was built with; whether the two
// agree on the inside of their data is chance.
//
// So the frame that calls is written by hand, with a personality routine of its own that asks the unwinder nothing. In
// the first phase it says that it will catch; by the time it is asked again, the unwinder has run the destructors of
// the callback and what it called. It then ends the exception by what the exception itself brings (the run time that it
// is of), and lets the unwinder go on in our frame, behind the call: as if the callback had returned. Forced unwinding
// (pthread_exit, cancellation) goes on past us: what is to be put in order is done on the way.
#pragma once

#include "base/compiler.hpp"

#include <cstdint>

#if defined(__x86_64__) || defined(__aarch64__)
#define VFTR_GUARDED_FRAME 1
// function(user, event). Puts the place of its frame at landing.
extern "C" __attribute__((visibility("hidden"))) void
vftr_guarded_call(void (*function)(void*, const void*), void* user, const void* event, std::uint64_t* landing);
#else
#define VFTR_GUARDED_FRAME 0 // exceptions of the program end it
#endif

namespace vftr::record {
struct ThreadState;
}

namespace vftr::embed {

// Where the stack pointer is in the frame of the latest guarded call; they do not nest. The word there is its own
// address, as long as the frame is.
extern __thread std::uint64_t landing __attribute__((tls_model("initial-exec")));

// Calls function(user, event). What it throws ends here.
VFTR_INLINE void guarded_call(void (*function)(void*, const void*), void* user, const void* event) {
#if VFTR_GUARDED_FRAME
    vftr_guarded_call(function, user, event, &landing);
#else
    landing = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
    function(user, event);
#endif
}

// record/observers.hpp says what these two do.
bool callback_is_there(std::uint64_t stack_pointer, bool look_closely);
void abandon_callback(record::ThreadState& state);

// Exceptions that ended in a guarded call of this process.
std::uint64_t exceptions_caught();

} // namespace vftr::embed
