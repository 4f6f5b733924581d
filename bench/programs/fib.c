/* SPDX-License-Identifier: BSD-3-Clause */
/* Direct recursion. */
#include "workload.h"

static NOINLINE uint64_t fib(unsigned n)
{
    return n < 2 ? 1 : fib(n - 1) + fib(n - 2) + 1; /* = the number of calls */
}

uint64_t work(uint64_t calls, const char *argument)
{
    (void)argument;
    uint64_t done = 0;
    while (done < calls)
        done += fib(18);
    return done + 1;
}
