/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many call paths: paths WIDTH [DEPTH ROUNDS]. Three levels of WIDTH (at most 144) functions each, every one
 * called from every one above: WIDTH + WIDTH² + WIDTH³ paths. Then ROUNDS times a chain of DEPTH calls, in
 * which each function calls one of its level at random. Prints the resident memory in kB when they are done.
 */
#include "workload.h"

typedef void level_function(unsigned width);
typedef void chain_function(unsigned depth, uint32_t *state);
static level_function *const second[144], *const third[144];
static chain_function *const chain[144];

#define FUNCTIONS(i)                                                                                                   \
    static NOINLINE void third##i(unsigned width) { __asm__ volatile("" ::"r"(width)); }                               \
    static NOINLINE void second##i(unsigned width)                                                                     \
    {                                                                                                                  \
        for (unsigned k = 0; k < width; k++)                                                                           \
            third[k](width);                                                                                           \
    }                                                                                                                  \
    static NOINLINE void first##i(unsigned width)                                                                      \
    {                                                                                                                  \
        for (unsigned k = 0; k < width; k++)                                                                           \
            second[k](width);                                                                                          \
    }                                                                                                                  \
    static NOINLINE void chain##i(unsigned depth, uint32_t *state)                                                     \
    {                                                                                                                  \
        if (depth)                                                                                                     \
            chain[next_random(state) % 144](depth - 1, state);                                                         \
        __asm__ volatile("");                                                                                          \
    }
#define TWELVE(X, p) X(p##0) X(p##1) X(p##2) X(p##3) X(p##4) X(p##5) X(p##6) X(p##7) X(p##8) X(p##9) X(p##a) X(p##b)
#define ALL(X)                                                                                                         \
    TWELVE(X, 0) TWELVE(X, 1) TWELVE(X, 2) TWELVE(X, 3) TWELVE(X, 4) TWELVE(X, 5) TWELVE(X, 6) TWELVE(X, 7)            \
    TWELVE(X, 8) TWELVE(X, 9) TWELVE(X, a) TWELVE(X, b)
ALL(FUNCTIONS)
#define FIRST(i) first##i,
#define SECOND(i) second##i,
#define THIRD(i) third##i,
#define CHAIN(i) chain##i,
static level_function *const first[144] = {ALL(FIRST)}, *const second[144] = {ALL(SECOND)},
                             *const third[144] = {ALL(THIRD)};
static chain_function *const chain[144] = {ALL(CHAIN)};

/* calls = 1: `work` of the warm-up; the rest is in the argument "WIDTH DEPTH ROUNDS". */
uint64_t work(uint64_t calls, const char *argument)
{
    unsigned width = 0, depth = 0, rounds = 0;
    uint32_t state = 1;
    if (calls < 2)
        return 0;
    sscanf(argument, "%u %u %u", &width, &depth, &rounds);
    for (unsigned i = 0; i < width; i++)
        first[i](width);
    for (unsigned i = 0; i < rounds; i++)
        chain[next_random(&state) % 144](depth, &state);
    printf("%ld ", resident_kb());
    return (uint64_t)width * (1 + width * (1 + width)) + (uint64_t)rounds * (depth + 1);
}
