/* SPDX-License-Identifier: BSD-3-Clause */
/* One function that does nothing, called in a loop. */
#include "workload.h"

static NOINLINE void leaf(void) { __asm__ volatile(""); }

uint64_t work(uint64_t calls, const char *argument)
{
    (void)argument;
    for (uint64_t i = 0; i < calls; i++)
        leaf();
    return calls + 1;
}
