/* SPDX-License-Identifier: BSD-3-Clause */
/* Ten functions that do nothing, called in turn. */
#include "workload.h"

#define LEAF(i)                                                                                                        \
    static NOINLINE void leaf##i(void) { __asm__ volatile(""); }
#define CALL(i) leaf##i();
#define TEN(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9)
TEN(LEAF)

uint64_t work(uint64_t calls, const char *argument)
{
    (void)argument;
    for (uint64_t i = 0; i < calls; i += 10) {
        TEN(CALL)
    }
    return (calls + 9) / 10 * 10 + 1;
}
