/* SPDX-License-Identifier: BSD-3-Clause */
/* One caller of as many different functions as the argument says (at most 500), one after the other. */
#include "workload.h"

#define LEAF(i)                                                                                                        \
    static NOINLINE void leaf##i(void) { __asm__ volatile(""); }
#define POINTER(i) leaf##i,
#define TEN(X, a) X(a##0) X(a##1) X(a##2) X(a##3) X(a##4) X(a##5) X(a##6) X(a##7) X(a##8) X(a##9)
#define HUNDRED(X, a)                                                                                                  \
    TEN(X, a##0) TEN(X, a##1) TEN(X, a##2) TEN(X, a##3) TEN(X, a##4) TEN(X, a##5) TEN(X, a##6) TEN(X, a##7)            \
    TEN(X, a##8) TEN(X, a##9)
#define FIVE_HUNDRED(X) HUNDRED(X, 1) HUNDRED(X, 2) HUNDRED(X, 3) HUNDRED(X, 4) HUNDRED(X, 5)
FIVE_HUNDRED(LEAF)
static void (*const leaves[500])(void) = {FIVE_HUNDRED(POINTER)};

uint64_t work(uint64_t calls, const char *argument)
{
    unsigned callees = (unsigned)atoi(argument);
    unsigned next = 0;
    for (uint64_t i = 0; i < calls; i++) {
        leaves[next]();
        next = next + 1 < callees ? next + 1 : 0;
    }
    return calls + 1;
}
