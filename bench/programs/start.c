/* SPDX-License-Identifier: BSD-3-Clause */
/* The program that only starts: tells on stdout when main had run its first instrumented call. */
#define _GNU_SOURCE
#include <time.h>
#include <unistd.h>

static __attribute__((noinline)) void first_call(void) { __asm__ volatile(""); }

int main(void)
{
    struct timespec t;
    first_call();
    clock_gettime(CLOCK_MONOTONIC, &t);
    return write(1, &t, sizeof t) != sizeof t;
}
