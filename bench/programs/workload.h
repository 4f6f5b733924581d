/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the measured programs share: each times its work itself and prints the nanoseconds, the number of
 * instrumented calls in it, and how many kB the process had resident at most. The work runs once before at a hundredth
 * of its length, to be warm.
 *
 * The clock is processor time, kernel included, so that other processes on the machine count for less.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* With WITHOUT_MAIN: the helpers alone. */
#define QUIET __attribute__((no_instrument_function))
#define NOINLINE __attribute__((noinline))

static inline QUIET uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* A random number that is the same on every run. */
static inline QUIET uint32_t next_random(uint32_t* state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

/* What the process had in memory at most until now, in kB. */
static inline QUIET long resident_kb(void) {
    FILE* status = fopen("/proc/self/status", "r");
    char line[256];
    long kb = 0;
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %ld", &kb) == 1)
            break;
    if (status)
        fclose(status);
    return kb;
}

#ifndef WITHOUT_MAIN
#ifdef __cplusplus
extern "C"
#endif
    /* Does about `calls` calls of instrumented functions and returns their exact number. */
    uint64_t
    work(uint64_t calls, const char* argument);

int main(int argc, char** argv) {
    uint64_t calls = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    const char* argument = argc > 2 ? argv[2] : "";
    work(calls / 100 + 1, argument);
    uint64_t begin = now_ns();
    uint64_t done = work(calls, argument);
    uint64_t end = now_ns();
    printf("%llu %llu %ld\n", (unsigned long long)(end - begin), (unsigned long long)done, resident_kb());
    return 0;
}
#endif

#endif
