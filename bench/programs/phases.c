/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kinds of work in turn, each a function of its own, some milliseconds each where nothing is instrumented: phases ROUNDS long|short|tiny. The calls take a
 * microsecond and more, some tens of nanoseconds and more, or some nanoseconds. Prints lines "NAME NS": the
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

/* Never instrumented nor inlined: the same instructions with a recorder as without one, or the comparison were one of compilers. */
#ifdef __clang__
#define SAME_CODE QUIET NOINLINE
#else
#define SAME_CODE QUIET __attribute__((noipa, aligned(64)))
#endif

static inline QUIET uint64_t steps(uint64_t value, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        value = value * 6364136223846793005u + 1442695040888963407u;
    return value;
}

/* What many programs do in their functions: the least of a heap goes, another number comes. Some tens of nanoseconds. */
enum { HeapSize = 64 };
static uint64_t heap[HeapSize];
static SAME_CODE uint64_t replace_least(uint64_t value, unsigned times)
{
    for (; times > 0; times--) {
        unsigned at = 0, child = 1;
        value = heap[0] + (steps(value, 1) >> 32);
        for (; child < HeapSize; at = child, child = 2 * at + 1) {
            if (child + 1 < HeapSize && heap[child + 1] < heap[child])
                child++;
            if (value <= heap[child])
                break;
            heap[at] = heap[child];
        }
        heap[at] = value;
    }
    return value;
}

static NOINLINE uint64_t tiny(uint64_t value) { return steps(value, 2); }
static NOINLINE uint64_t shortest(uint64_t value) { return replace_least(value, 2); }
static NOINLINE uint64_t longer(uint64_t value) { return replace_least(value, 5); }
static NOINLINE uint64_t longest(uint64_t value) { return replace_least(value, 50); }
static NOINLINE uint64_t outermost(uint64_t value) { return replace_least(longest(longest(longest(value))), 50); }
static NOINLINE uint64_t outer(uint64_t value) { return replace_least(shortest(shortest(shortest(value))), 5); }
static NOINLINE uint64_t inner(uint64_t value) { return steps(tiny(tiny(tiny(value))), 20); }
/* What stands before the return is there so that the compiler makes no loop of it, which it cannot either where it is instrumented. */
static NOINLINE unsigned fib(unsigned n)
{
    unsigned sum = n < 2 ? 1 : fib(n - 1) + fib(n - 2);
    __asm__ volatile("" : "+r"(sum));
    return sum;
}

#define REPEATED(name, function, times)                                                                                                    \
    static NOINLINE void name(void)                                                                                                        \
    {                                                                                                                                      \
        uint64_t value = sink;                                                                                                             \
        for (int i = 0; i < times; i++)                                                                                                    \
            value = function(value);                                                                                                       \
        sink = value;                                                                                                                      \
    }
static NOINLINE void long_loop(void) { sink = steps(sink, 4500000); }
REPEATED(microseconds, longest, 2000)
REPEATED(nested_microseconds, outermost, 600)
REPEATED(hundreds, longer, 20000)
REPEATED(nested_calls, outer, 10000)
REPEATED(tiny_calls, tiny, 1300000)
REPEATED(nested_tiny_calls, inner, 170000)
static NOINLINE void recursion(void) { sink += fib(27) + fib(26); }

static const struct {
    const char *name;
    void (*run)(void);
} kinds[] = {{"long_loop", long_loop},   {"microseconds", microseconds}, {"nested_microseconds", nested_microseconds},
             {"hundreds", hundreds},     {"nested_calls", nested_calls},
             {"tiny_calls", tiny_calls}, {"nested_tiny_calls", nested_tiny_calls}, {"recursion", recursion}};
enum { Kinds = sizeof kinds / sizeof *kinds, LongKinds = 3, ShortKinds = 2 };
static uint64_t spent[Kinds];

/* The main function of the workloads calls it; here a call is a round. */
QUIET uint64_t work(uint64_t calls, const char *argument)
{
    const unsigned first = *argument == 'l' ? 0 : *argument == 's' ? LongKinds : LongKinds + ShortKinds;
    const unsigned end = *argument == 'l' ? LongKinds : *argument == 's' ? LongKinds + ShortKinds : Kinds;
    if (calls < 2)
        return 0;
    for (uint64_t i = 0; i < calls; i++)
        for (unsigned k = first; k < end; k++) {
            uint64_t begin = wall_ns();
            kinds[k].run();
            spent[k] += wall_ns() - begin;
        }
    for (unsigned k = first; k < end; k++)
        printf("%s %llu\n", kinds[k].name, (unsigned long long)spent[k]);
    return calls;
}
