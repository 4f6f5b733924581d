/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fork in the depth of some calls, and the wait for a child that ends at once or, with the argument "calls", calls a function before.
 * Prints the parent's nanoseconds of processor time, the number of forks, and the children's nanoseconds.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static __attribute__((noinline)) void leaf(void) { __asm__ volatile(""); }

static __attribute__((noinline)) void children(int depth, int count, int calls)
{
    if (depth > 0) {
        children(depth - 1, count, calls);
        return;
    }
    for (int i = 0; i < count; i++) {
        pid_t child = fork();
        if (child == 0) {
            if (calls)
                leaf();
            _exit(0);
        }
        waitpid(child, NULL, 0);
    }
}

static long long spent_ns(int who)
{
    struct rusage usage;
    getrusage(who, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000ll + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000ll;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 100, calls = argc > 2 && !strcmp(argv[2], "calls");
    children(10, count / 10, calls);
    long long own = spent_ns(RUSAGE_SELF), of_children = spent_ns(RUSAGE_CHILDREN);
    children(10, count, calls);
    printf("%lld %d %lld\n", spent_ns(RUSAGE_SELF) - own, count, spent_ns(RUSAGE_CHILDREN) - of_children);
    return 0;
}
