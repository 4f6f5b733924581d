/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads, each of which calls one function: what a thread's begin and end cost. A call here is a thread. As many live at once as the
 * argument says. The first ones of a program have memory of their own to be set up, later ones take over that of the ended.
 */
#include "workload.h"

#include <pthread.h>

enum { MaxAtOnce = 64 };

static NOINLINE void leaf(void) { __asm__ volatile(""); }

static QUIET void *start(void *unused)
{
    leaf();
    return unused;
}

static QUIET void round_of(unsigned at_once)
{
    pthread_t threads[MaxAtOnce];
    for (unsigned i = 0; i < at_once; i++)
        if (pthread_create(&threads[i], NULL, start, NULL))
            abort();
    for (unsigned i = 0; i < at_once; i++)
        pthread_join(threads[i], NULL);
}

uint64_t work(uint64_t calls, const char *argument)
{
    unsigned at_once = (unsigned)atoi(argument);
    for (uint64_t done = 0; done < calls; done += at_once)
        round_of(at_once);
    return calls;
}
