# SPDX-License-Identifier: BSD-3-Clause
# Sourced by tests: a program that starts others, and one that shows what it got.

# drive HOW [NAME=VALUE…|-] -- PROGRAM ARGUMENT…: starts PROGRAM by fork, vfork, spawn (posix_spawn) or exec (of itself), with its own
# environment, with the one given, with an empty one (-), or with none at all (NULL: 0). HOW may be fork3: three times. Calls work() before.
driver() {
    build drive.c "$@" <<'END'
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static void work(void) {}
static int start(const char *how, char **argv, char **envp)
{
    pid_t child = 0;
    int status = 0;
    if (!strcmp(how, "spawn")) {
        if ((status = posix_spawn(&child, argv[0], 0, 0, argv, envp)) != 0)
            return status;
    } else if (!strcmp(how, "vfork")) {
        if ((child = vfork()) == 0) {
            execve(argv[0], argv, envp);
            _exit(99);
        }
    } else if (strcmp(how, "exec") == 0 || (child = fork()) == 0) {
        execve(argv[0], argv, envp);
        perror(argv[0]);
        _exit(99);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}
int main(int argc, char **argv)
{
    char how[16] = {0}, **envp = calloc(argc, sizeof *envp);
    int entries = 0, none = 0, i = 2, times, status = 0;
    strncpy(how, argv[1], sizeof how - 1);
    times = strlen(how) > 4 && how[4] == '3' ? 3 : 1;
    if (times == 3)
        how[4] = 0;
    for (; i < argc && strcmp(argv[i], "--"); i++)
        if (!strcmp(argv[i], "0"))
            none = 1;
        else if (strcmp(argv[i], "-"))
            envp[entries++] = argv[i];
    work();
    while (status == 0 && times-- > 0)
        status = start(how, argv + i + 1, i == 2 ? environ : none ? 0 : envp);
    return status;
}
END
}

# show: calls leaf three times and prints the environment that it was started with. What was handed on to it is not in `environ` any more.
shower() {
    build show.c "$@" <<'END'
#include <stdio.h>
static void leaf(void) {}
static void show(void)
{
    FILE *start = fopen("/proc/self/environ", "r");
    for (int i = 0; i < 3; i++)
        leaf();
    for (int c; (c = getc(start)) != EOF;)
        putchar(c ? c : '\n');
    fclose(start);
}
int main(void)
{
    show();
    return 0;
}
END
}

# The recording or log of the only child of a name: child_of PROGRAM SUFFIX.
child_of() {
    local found
    found=$(ls | grep -E "^$1_[0-9]+$2\$")
    [ "$(wc -w <<<"$found")" = 1 ] || fail "not one $1_<pid>$2: $(ls -m)"
    echo "$found"
}
