// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pthread.h>

namespace vftr::base {

// The C library's own pthread_create, past ours; nullptr: there is none to be found. Any thread.
using ThreadCreate = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
ThreadCreate* real_thread_create();
// For a thread of our own: ThreadSanitizer must know of it, so there it is its own one, and nullptr in a forked child,
// where it would end the process.
ThreadCreate* create_for_own_thread();

} // namespace vftr::base
