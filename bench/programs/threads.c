/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * As many threads as the argument says, each doing all the calls at the same time. The time printed before the other
 * two numbers, of the warm-up and of the work, is the processor time of the slowest thread: what threads cost each other (cache lines, locks that spin, the kernel) is in
 * it, what other processes on the machine take is not.
 */
#include "workload.h"

#include <pthread.h>

enum { MaxThreads = 64 };

static NOINLINE void leaf(void) { __asm__ volatile(""); }

static uint64_t calls_per_thread;
static pthread_barrier_t start;
static uint64_t spent[MaxThreads];

static QUIET uint64_t thread_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void *loop(void *own_time)
{
    pthread_barrier_wait(&start);
    uint64_t begin = thread_ns();
    for (uint64_t i = 0; i < calls_per_thread; i++)
        leaf();
    *(uint64_t *)own_time = thread_ns() - begin;
    return NULL;
}

uint64_t work(uint64_t calls, const char *argument)
{
    pthread_t threads[MaxThreads];
    unsigned count = (unsigned)atoi(argument);
    calls_per_thread = calls;
    pthread_barrier_init(&start, NULL, count);
    for (unsigned i = 1; i < count; i++)
        pthread_create(&threads[i], NULL, loop, &spent[i]);
    loop(&spent[0]);
    for (unsigned i = 1; i < count; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 1; i < count; i++)
        spent[0] = spent[i] > spent[0] ? spent[i] : spent[0];
    printf("%llu ", (unsigned long long)spent[0]);
    return calls * count;
}
