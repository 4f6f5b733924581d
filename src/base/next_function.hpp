// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the function of the C library, or of another object, that a function of vftrace with the same name interposes.
//
// Nearly always it is the next function of that name in search order. An exception is vftrace as a dependency of a
// library that was preloaded into a program which is not linked to vftrace: then the C library, which the program
// itself needs, comes before vftrace in the search order. In this case there is no next function, and the program's
// calls do not reach vftrace. Calls of vftrace's own objects still do, and the function to be found is the first one of
// that name.
#pragma once

#include <atomic>

namespace vftr::base {

// Returns the first function of this name in the program's search order, which may be vftrace's own. (A plain dlsym
// from vftrace would start with vftrace itself.) The restrictions of next_function apply.
void* first_function(const char* name) noexcept;

// Returns nullptr if there is none, or if it cannot be looked up, as in a fully static executable. It takes the locks
// of the dynamic linker and may allocate, so it must not be called in signal handlers or in a child of vfork. It leaves
// no error for the program's dlerror.
void* next_function(const char* name) noexcept;

// The same for a wrapper that looks its function up when it is first called, and keeps it in `known`. Threads may do
// that at the same time.
template <class Function>
Function* kept_next_function(std::atomic<Function*>& known, const char* name) noexcept {
    Function* found = known.load(std::memory_order_relaxed);
    if (!found)
        known.store(found = reinterpret_cast<Function*>(next_function(name)), std::memory_order_relaxed);
    return found;
}

} // namespace vftr::base
