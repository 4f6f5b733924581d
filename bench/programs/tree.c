/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * 64 functions that call each other: tree [LEVELS BRANCHING UNTIL]. As many levels, and in the first UNTIL of them each calls one of BRANCHING
 * others at random, below always the same one. Default: three levels, each one of four others: 1344 call paths.
 */
#include "workload.h"

typedef uint64_t node_function(unsigned depth, uint32_t *state);
static node_function *const functions[64];
static unsigned levels = 3, branching = 4, until = 3;

/* Which function comes next where `depth` more do. */
static inline QUIET unsigned choice(unsigned depth, uint32_t *state)
{
    return levels - depth <= until ? next_random(state) % branching : 0;
}

#define NODE(i)                                                                                                        \
    static NOINLINE uint64_t f##i(unsigned depth, uint32_t *state)                                                     \
    {                                                                                                                  \
        return depth == 0 ? 1 : 1 + functions[((i) * 5 + 1 + choice(depth, state)) % 64](depth - 1, state);          \
    }
#define EACH8(X, a) X(a##0) X(a##1) X(a##2) X(a##3) X(a##4) X(a##5) X(a##6) X(a##7)
#define EACH64(X)                                                                                                      \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) EACH8(X, 1) X(18) X(19) EACH8(X, 2) X(28) X(29) EACH8(X, 3) X(38) X(39)    \
    EACH8(X, 4) X(48) X(49) EACH8(X, 5) X(58) X(59) X(60) X(61) X(62) X(63) X(8) X(9)
EACH64(NODE)
#define POINTER(i) [i] = f##i,
static node_function *const functions[64] = {EACH64(POINTER)};

uint64_t work(uint64_t calls, const char *argument)
{
    sscanf(argument, "%u %u %u", &levels, &branching, &until);
    uint32_t state = 1;
    uint64_t done = 0;
    while (done < calls)
        done += functions[next_random(&state) % 64](levels - 1, &state);
    return done + 1;
}
