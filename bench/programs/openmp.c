/* SPDX-License-Identifier: BSD-3-Clause */
/* openmp CONSTRUCT COUNT THREADS: prints the nanoseconds that COUNT of a construct of OpenMP take, and COUNT. Within each there is a short delay,
 * as work has it: the way in which J. M. Bull's micro-benchmarks (EWOMP 1999) measure, whose reference is the delay alone. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PLAIN __attribute__((no_instrument_function, noinline))

static int threads;

static void PLAIN delay(void)
{
    volatile double sum = 0;
    for (int i = 0; i < 20; i++)
        sum += i;
}

static void PLAIN reference(long count)
{
    for (long i = 0; i < count; i++)
        delay();
}
static void PLAIN parallel(long count)
{
    for (long i = 0; i < count; i++) {
#pragma omp parallel num_threads(threads)
        delay();
    }
}
/* In each loop every thread has one delay. */
#define LOOPS(name, pragma)                                 \
    static void PLAIN name(long count)                      \
    {                                                       \
        _Pragma("omp parallel num_threads(threads)")        \
        for (long i = 0; i < count; i++) {                  \
            _Pragma(pragma)                                 \
            for (int k = 0; k < threads; k++)               \
                delay();                                    \
        }                                                   \
    }
LOOPS(for_static, "omp for schedule(static)")
LOOPS(for_dynamic, "omp for schedule(dynamic)")
static void PLAIN barrier(long count)
{
#pragma omp parallel num_threads(threads)
    for (long i = 0; i < count; i++) {
        delay();
#pragma omp barrier
    }
}
static void PLAIN single(long count)
{
#pragma omp parallel num_threads(threads)
    for (long i = 0; i < count; i++) {
#pragma omp single
        delay();
    }
}
static void PLAIN critical(long count)
{
#pragma omp parallel num_threads(threads)
    for (long i = 0; i < count / threads; i++) {
#pragma omp critical
        delay();
    }
}
static void PLAIN lock(long count)
{
    omp_lock_t one;
    omp_init_lock(&one);
#pragma omp parallel num_threads(threads)
    for (long i = 0; i < count / threads; i++) {
        omp_set_lock(&one);
        delay();
        omp_unset_lock(&one);
    }
    omp_destroy_lock(&one);
}
static void PLAIN task(long count)
{
#pragma omp parallel num_threads(threads)
    {
        for (long i = 0; i < count / threads; i++) {
#pragma omp task
            delay();
        }
#pragma omp taskwait
    }
}

static const struct {
    const char *name;
    void (*run)(long);
} constructs[] = {{"reference", reference}, {"parallel", parallel}, {"for", for_static}, {"dynamic", for_dynamic}, {"barrier", barrier},
                  {"single", single},       {"critical", critical}, {"lock", lock},      {"task", task}};

int main(int argc, char **argv)
{
    const long count = argc > 2 ? atol(argv[2]) : 1000;
    threads = argc > 3 ? atoi(argv[3]) : 2;
    for (unsigned i = 0; argc > 1 && i < sizeof constructs / sizeof *constructs; i++) {
        struct timespec start, end;
        if (strcmp(constructs[i].name, argv[1]) != 0)
            continue;
        constructs[i].run(count / 10 + threads); /* threads are made, paths are known */
        clock_gettime(CLOCK_MONOTONIC, &start);
        constructs[i].run(count);
        clock_gettime(CLOCK_MONOTONIC, &end);
        printf("%.0f %ld\n", (end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec), count);
        return 0;
    }
    return 1;
}
