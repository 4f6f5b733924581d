# SPDX-License-Identifier: BSD-3-Clause
# Sourced by tests of vftr run: a program that is instrumented and not linked with the library.

linkage=none
program() {
    build program.c "$@" <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void leaf(void) {}
int main(int argc, char **argv)
{
    char line[100];
    for (int i = 0; i < 7; i++)
        leaf();
    if (argc > 1 && !strcmp(argv[1], "exit"))
        return atoi(argv[2]);
    if (argc > 1 && !strcmp(argv[1], "die"))
        raise(atoi(argv[2]));
    while (argc > 1 && !strcmp(argv[1], "copy") && fgets(line, sizeof line, stdin))
        fputs(line, stdout);
    fputs("to stderr\n", stderr);
    return 0;
}
END
}
