# SPDX-License-Identifier: BSD-3-Clause
# Sourced by tests: a program that executes another one.

# execs ENTRY PROGRAM CALLS: calls leaf CALLS times, then executes `PROGRAM done`; where that fails it tells errno and calls
# leaf once more. PROGRAM "-" is itself. "execs done" calls leaf five times and prints what it was given.
execs() {
    build execs.c "$@" <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
extern char **environ;
static void leaf(void) {}
static void leaves(int n)
{
    for (int i = 0; i < n; i++)
        leaf();
}
static int by(const char *entry, const char *path)
{
    char *argv[] = {"execs", "done", "a b", 0};
    if (!strcmp(entry, "execve")) return execve(path, argv, environ);
    if (!strcmp(entry, "execv")) return execv(path, argv);
    if (!strcmp(entry, "execvp")) return execvp(path, argv);
    if (!strcmp(entry, "execvpe")) return execvpe(path, argv, environ);
    if (!strcmp(entry, "execl")) return execl(path, "execs", "done", "a b", (char *)0);
    if (!strcmp(entry, "execlp")) return execlp(path, "execs", "done", "a b", (char *)0);
    if (!strcmp(entry, "execle")) return execle(path, "execs", "done", "a b", (char *)0, environ);
    if (!strcmp(entry, "fexecve")) return fexecve(open(path, O_RDONLY | O_CLOEXEC), argv, environ);
    if (!strcmp(entry, "execveat")) return syscall(SYS_execveat, AT_FDCWD, path, argv, environ, 0);
    if (!strcmp(entry, "syscall")) return syscall(SYS_execve, path, argv, environ);
    return -2;
}
int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "done")) {
        leaves(5);
        printf("done %s %d\n", argv[2], argc);
        return 3;
    }
    char self[4096] = {0};
    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return 1;
    leaves(atoi(argv[3]));
    errno = 77;
    int result = by(argv[1], strcmp(argv[2], "-") ? argv[2] : self);
    printf("%d %s\n", result, strerror(errno));
    leaf();
    return 4;
}
END
}
entries='execve execv execvp execvpe execl execlp execle fexecve execveat syscall'
