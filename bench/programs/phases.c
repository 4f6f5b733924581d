/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Five kinds of work in turn, each a function of its own, about as long each where nothing is instrumented: phases ROUNDS. Prints lines "NAME NS": the
 * time of each kind, by clock reads around it in functions that are never instrumented. Recorded, the same is in a profile as the inclusive time of
 * these functions; how much a recorder distorts it is the difference.
 */
#include "workload.h"

static volatile uint64_t sink;

/* Recorders report time, not processor time. */
static QUIET uint64_t wall_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline QUIET uint64_t steps(uint64_t value, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        value = value * 6364136223846793005u + 1442695040888963407u;
    return value;
}

static NOINLINE uint64_t tiny(uint64_t value) { return steps(value, 2); }
static NOINLINE uint64_t microsecond(uint64_t value) { return steps(value, 900); }
static NOINLINE uint64_t inner(uint64_t value) { return steps(tiny(tiny(tiny(value))), 20); }
/* What stands before the return is there so that the compiler makes no loop of it, which it cannot either where it is instrumented. */
static NOINLINE unsigned fib(unsigned n)
{
    unsigned sum = n < 2 ? 1 : fib(n - 1) + fib(n - 2);
    __asm__ volatile("" : "+r"(sum));
    return sum;
}

static NOINLINE void long_loop(void) { sink = steps(sink, 4500000); }
static NOINLINE void tiny_calls(void)
{
    uint64_t value = sink;
    for (int i = 0; i < 1300000; i++)
        value = tiny(value);
    sink = value;
}
static NOINLINE void microseconds(void)
{
    uint64_t value = sink;
    for (int i = 0; i < 5000; i++)
        value = microsecond(value);
    sink = value;
}
static NOINLINE void nested_calls(void)
{
    uint64_t value = sink;
    for (int i = 0; i < 170000; i++)
        value = inner(value);
    sink = value;
}
static NOINLINE void recursion(void) { sink += fib(27) + fib(26); }

static const struct {
    const char *name;
    void (*run)(void);
} kinds[] = {{"long_loop", long_loop}, {"tiny_calls", tiny_calls}, {"microseconds", microseconds}, {"nested_calls", nested_calls}, {"recursion", recursion}};
enum { Kinds = sizeof kinds / sizeof *kinds };
static uint64_t spent[Kinds];

/* The main function of the workloads calls it; here a call is a round. */
QUIET uint64_t work(uint64_t calls, const char *argument)
{
    (void)argument;
    if (calls < 2)
        return 0;
    for (uint64_t i = 0; i < calls; i++)
        for (unsigned k = 0; k < Kinds; k++) {
            uint64_t begin = wall_ns();
            kinds[k].run();
            spent[k] += wall_ns() - begin;
        }
    for (unsigned k = 0; k < Kinds; k++)
        printf("%s %llu\n", kinds[k].name, (unsigned long long)spent[k]);
    return calls;
}
