/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Work in nine functions: compared PERCENT. One of them, with two fifths of the time, does so many percent more.
 */
#include <stdlib.h>
#define WITHOUT_MAIN
#include "workload.h"

static volatile double result;
static double values[4096];

#define SMOOTH(n, added)                                                                                               \
    static NOINLINE void smooth##n(int rounds)                                                                         \
    {                                                                                                                  \
        while (rounds--)                                                                                               \
            for (int i = 0; i < 4096; i++)                                                                             \
                values[i] = values[i] * 0.999 + added;                                                                 \
    }
SMOOTH(0, 1.0)
SMOOTH(1, 2.0)
SMOOTH(2, 0.5)
SMOOTH(3, 0.25)
SMOOTH(4, 3.0)
SMOOTH(5, 1.5)
SMOOTH(6, 2.5)

static int compare_doubles(const void *a, const void *b)
{
    double difference = *(const double *)a - *(const double *)b;
    return difference < 0 ? -1 : difference > 0;
}

static NOINLINE void sort_some(void)
{
    static double unsorted[20000];
    unsigned state = 7;
    for (int i = 0; i < 20000; i++) {
        state = state * 1103515245u + 12345u;
        unsorted[i] = state >> 8;
    }
    qsort(unsorted, 20000, sizeof *unsorted, compare_doubles);
    result = unsorted[5];
}

int main(int argc, char **argv)
{
    int percent = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < 300; i++) {
        smooth0(4);
        smooth1(6);
        smooth2(8);
        smooth3(100 + percent);
        smooth4(12);
        smooth5(20);
        smooth6(7);
    }
    for (int i = 0; i < 30; i++)
        sort_some();
    return 0;
}
