// SPDX-License-Identifier: BSD-3-Clause
//
// The function of the C library, or of another object, that ours of the same name stands before.
//
// Nearly always it is the next one of this name. But where we came with a library that was preloaded into a program
// that knows nothing of us, the C library, which the program itself needs, stands before us in the search order: then
// nothing comes next, and the program's calls go past ours. Our own still come here, and the function is the first of
// this name.
#pragma once

namespace vftr::base {

// The first of this name in the program's search order, be it ours: dlsym's default order of our own begins with
// ourselves. As below.
void* first_function(const char* name) noexcept;

// nullptr: there is none, or, in a fully static executable, it cannot be looked up. Takes the dynamic linker's locks
// and may allocate: not in signal handlers, nor in a child of vfork. Leaves nothing for the program's dlerror.
void* next_function(const char* name) noexcept;

} // namespace vftr::base
