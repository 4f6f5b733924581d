/* SPDX-License-Identifier: BSD-3-Clause */
/* As many threads as the argument says, each doing all the calls. The time is that of the slowest thread's loop. */
#include "workload.h"

#include <pthread.h>

static NOINLINE void leaf(void) { __asm__ volatile(""); }

static uint64_t calls_per_thread;
static pthread_barrier_t start;

static void *loop(void *unused)
{
    (void)unused;
    pthread_barrier_wait(&start);
    for (uint64_t i = 0; i < calls_per_thread; i++)
        leaf();
    return NULL;
}

uint64_t work(uint64_t calls, const char *argument)
{
    pthread_t threads[64];
    unsigned count = (unsigned)atoi(argument);
    calls_per_thread = calls;
    pthread_barrier_init(&start, NULL, count);
    for (unsigned i = 1; i < count; i++)
        pthread_create(&threads[i], NULL, loop, NULL);
    loop(NULL);
    for (unsigned i = 1; i < count; i++)
        pthread_join(threads[i], NULL);
    return calls * count;
}
