/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * launch ROUNDS A B [LIBRARY]: runs the programs A and B in turn, B with LIBRARY preloaded; each tells on stdout when it stood in main (start.c).
 * Prints the median of how many microseconds B needs more than A to get there, and the median of A's own.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int64_t ns(struct timespec t) { return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec; }

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return ns(t);
}

static void die(const char *what)
{
    perror(what);
    exit(2);
}

/* Microseconds until the program stood in main. */
static double start_of(char *program)
{
    int ends[2];
    pid_t child;
    posix_spawn_file_actions_t actions;
    char *arguments[] = {program, NULL};
    struct timespec t;

    if (pipe2(ends, O_CLOEXEC))
        die("pipe");
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
    int64_t begin = now();
    if (posix_spawn(&child, program, &actions, NULL, arguments, environ))
        die(program);
    close(ends[1]);
    if (read(ends[0], &t, sizeof t) != sizeof t)
        die("read");
    close(ends[0]);
    waitpid(child, NULL, 0);
    posix_spawn_file_actions_destroy(&actions);
    return (double)(ns(t) - begin) / 1000;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    enum { MaxRounds = 1000 };
    static double more[MaxRounds], alone[MaxRounds];
    int rounds = argc == 4 || argc == 5 ? atoi(argv[1]) : 0;
    if (rounds < 1 || rounds > MaxRounds) {
        fprintf(stderr, "usage: launch ROUNDS A B [LIBRARY]\n");
        return 2;
    }
    for (int i = -1; i < rounds; i++) { /* once to be warm */
        double a = start_of(argv[2]);
        if (argc == 5)
            setenv("LD_PRELOAD", argv[4], 1);
        double b = start_of(argv[3]);
        unsetenv("LD_PRELOAD");
        if (i >= 0) {
            alone[i] = a;
            more[i] = b - a;
        }
    }
    qsort(more, (size_t)rounds, sizeof *more, ascending);
    qsort(alone, (size_t)rounds, sizeof *alone, ascending);
    printf("%.1f %.1f\n", more[rounds / 2], alone[rounds / 2]);
    return 0;
}
