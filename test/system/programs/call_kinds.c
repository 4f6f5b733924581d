/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of five kinds, 20000 each (of `leaf` as many as the argument says), between functions that are not instrumented and say where a kind begins and ends:
 * callgrind writes its counts at those. Each kind was called before, so that its call paths are there.
 */
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))
#define QUIET __attribute__((no_instrument_function, noinline))

static NOINLINE void leaf(void) { __asm__ volatile(""); }

#define LEAF(i) \
    static NOINLINE void leaf##i(void) { __asm__ volatile(""); }
#define CALL(i) leaf##i();
#define TEN(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9)
TEN(LEAF)

static inline __attribute__((always_inline)) void inlined(void) { __asm__ volatile(""); }

static NOINLINE unsigned fib(unsigned n) { return n < 2 ? 1 : fib(n - 1) + fib(n - 2) + 1; }

static unsigned state = 1;
static QUIET unsigned random_below(unsigned n)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % n;
}

typedef void node(unsigned depth);
static node *const nodes[10];
#define NODE(i) \
    static NOINLINE void node##i(unsigned depth) \
    { \
        if (depth) \
            nodes[((i) * 3 + 1 + random_below(4)) % 10](depth - 1); \
        __asm__ volatile(""); \
    }
#define NODE_POINTER(i) node##i,
TEN(NODE)
static node *const nodes[10] = {TEN(NODE_POINTER)};

static QUIET void leaf_loop(unsigned calls)
{
    for (unsigned i = 0; i < calls; i++)
        leaf();
}
static NOINLINE void inlined_loop(void)
{
    for (unsigned i = 0; i < 20000; i++)
        inlined();
}
static QUIET void leaves_loop(void)
{
    for (unsigned i = 0; i < 20000; i += 10) {
        TEN(CALL)
    }
}
static QUIET void fib_loop(void)
{
    for (unsigned i = 0; i < 184; i++)
        fib(9); /* 109 calls, 20056 in all */
}
static QUIET void tree_loop(void)
{
    for (unsigned i = 0; i < 20000; i += 4)
        nodes[random_below(10)](3);
}

#define MARK(name) \
    QUIET void name(void); \
    QUIET void name(void) { __asm__ volatile(""); }
MARK(begin_leaf)
MARK(end_leaf)
MARK(begin_inlined)
MARK(end_inlined)
MARK(begin_leaves)
MARK(end_leaves)
MARK(begin_fib)
MARK(end_fib)
MARK(begin_tree)
MARK(end_tree)

int main(int argc, char **argv)
{
    unsigned calls = argc > 1 ? (unsigned)atoi(argv[1]) : 20000;
    leaf_loop(calls);
    begin_leaf();
    leaf_loop(calls);
    end_leaf();
    inlined_loop();
    begin_inlined();
    inlined_loop();
    end_inlined();
    leaves_loop();
    begin_leaves();
    leaves_loop();
    end_leaves();
    fib_loop();
    begin_fib();
    fib_loop();
    end_fib();
    tree_loop();
    begin_tree();
    tree_loop();
    end_tree();
    return 0;
}
