// SPDX-License-Identifier: BSD-3-Clause
//
// In a fully static executable the wrapper of pthread_create needs the C library's own function, which has a second
// name there. As with posix_spawn (follow/spawn_static.cpp), a reference to a function that exists everywhere pulls it
// in.
#include <threads.h>

extern "C" __attribute__((used, visibility("hidden"))) int (*const vftr_brings_pthread_create)(thrd_t*, thrd_start_t,
                                                                                               void*) = thrd_create;
