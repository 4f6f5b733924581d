/* SPDX-License-Identifier: BSD-3-Clause */
/* Instrumented functions in the shapes that compilers give to hook calls: ends that are jumps, several ends, parts that are rarely executed,
   functions within others, addresses that wait in registers. */
#include "work.h"

#include <stdlib.h>

#define APART __attribute__((noinline))
#define QUIET __attribute__((no_instrument_function))

/* clang: a call that is certainly a jump. */
#ifdef __clang__
#define LAST_ACT __attribute__((musttail))
#else
#define LAST_ACT
#endif
/* In a section of its own, with -DIN_SECTION. */
#ifdef IN_SECTION
#define SOMEWHERE __attribute__((section(IN_SECTION)))
#else
#define SOMEWHERE
#endif

SOMEWHERE APART int leaf(int n) { return n + 1; }

APART void stores(int *place, int n) { *place = n; }

APART static long recursive(long n) { return n < 2 ? n : recursive(n - 1) + recursive(n - 2); }

APART int several_ends(int n)
{
    if (n < 0)
        abort();
    if (n % 3 == 0)
        return 7;
    switch (n % 11) {
    case 0: return 3;
    case 1: return n;
    case 2: LAST_ACT return leaf(n);
    case 4: return n / 2;
    case 5: return 9;
    case 6: return n & 1;
    }
    return 1;
}

static inline int within(int n) { return n % 5 ? n ^ 21 : n; }
static inline int also_within(int n) { return n * 3; }

APART double floats(double x, double y, const double *z) { return x * y + *z; }

APART int never_out(int n)
{
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += within(n + i) - also_within(i);
    return sum;
}

enum { LEAF, STORES, RECURSIVE, ENDS, WITHIN, ALSO_WITHIN, FLOATS, NEVER_OUT };

QUIET static long run(long n, long calls[KINDS])
{
    static const double z = 0.5;
    long sum = 0;
    for (int i = 0; i < n; i++) {
        int place;
        stores(&place, leaf(i));
        sum += place + recursive(5) + several_ends(i) + (long)floats(i, 2, &z) + never_out(i);
        calls[LEAF] += 1 + (i % 3 != 0 && i % 11 == 2);
    }
    calls[STORES] += n;
    calls[RECURSIVE] += 15 * n;
    calls[ENDS] += n;
    calls[WITHIN] += 3 * n;
    calls[ALSO_WITHIN] += 3 * n;
    calls[FLOATS] += n;
    calls[NEVER_OUT] += n;
    return sum;
}

QUIET const struct work *the_work(void)
{
    static const struct work all = {
        {(void *)leaf, (void *)stores, (void *)recursive, (void *)several_ends, (void *)within, (void *)also_within, (void *)floats, (void *)never_out},
        run};
    return &all;
}
