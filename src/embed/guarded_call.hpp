// SPDX-License-Identifier: BSD-3-Clause
//
// The call of a callback, which no exception of the program leaves.
//
// Why not try and catch. What is thrown comes from the program's C++ run time, which is not ours: libvftrace has a copy of its own that
// the program never sees (src/library.am). A catch of ours would be asked by the program's unwinder, through our run time's personality routine,
// which knows only the unwinder that it was built with; whether the two agree on the inside of their data is chance.
//
// So the frame that calls is written by hand, with a personality routine of its own that asks the unwinder nothing. In the first phase it says
// that it will catch; by the time it is asked again, the unwinder has run the destructors of the callback and what it called. It then ends the
// exception by what the exception itself brings (the run time that it is of), and goes back to our frame: stack pointer and callee-saved
// registers were put aside there. Forced unwinding (pthread_exit, cancellation) goes on past us: what is to be put in order is done on the way.
#pragma once

#include "record/thread_state.hpp"

namespace vftr::embed {

// Calls function(user, event). What it throws ends here.
void guarded_call(void (*function)(void*, const void*), void* user, const void* event);

// Exceptions that ended in a guarded call of this process.
std::uint64_t exceptions_caught();

} // namespace vftr::embed
