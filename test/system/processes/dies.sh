# SPDX-License-Identifier: BSD-3-Clause
# Sourced by tests: a program that ends in every way, and what must be in its recording then.

# dies HOW: after 1234 calls of leaf in work. `how N` ends by signal N.
dies_program() {
    build dies.c <<'END'
#include <stdlib.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
static void leaf(void) {}
static int recurse(int n) { volatile char room[256]; room[0] = (char)n; return recurse(n + 1) + room[0]; }
static void take_all_memory(void)
{
    for (;;) {
        char *memory = malloc(1 << 20);
        if (!memory)
            abort();
        memset(memory, 1, 1 << 20);
    }
}
static void work(const char *how)
{
    for (int i = 0; i < 1234; i++)
        leaf();
    if (!strcmp(how, "abort")) abort();
    if (!strcmp(how, "_exit")) _exit(5);
    if (!strcmp(how, "_Exit")) _Exit(6);
    if (!strcmp(how, "exit")) exit(7);
    if (!strcmp(how, "quick")) quick_exit(8);
    if (!strcmp(how, "segv")) *(volatile int *)0 = 1;
    if (!strcmp(how, "trap")) __builtin_trap();
    if (!strcmp(how, "stack")) recurse(0);
    if (!strcmp(how, "memory")) take_all_memory();
    if (atoi(how)) raise(atoi(how));
}
int main(int argc, char **argv) { return argc > 1 ? work(argv[1]), 9 : 1; }
END
}

# Notes tell whether the file was closed.
without_notes() { sed '/^Note: /,/^$/d' "$1"; }
expect_all_there() {
    report "$1"
    expect_calls report leaf 1234
    expect_calls report work 1
    expect_stack report 'leaf<work<main<init'
}
