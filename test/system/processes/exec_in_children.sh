# SPDX-License-Identifier: BSD-3-Clause
# exec in children that share the memory of their parent: by vfork and clone.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/processes/execs.sh"

# Acceptance case 9 and 10
test_vfork_and_exec_leave_the_parent_as_it_was() { config && with_each_compiler check_vfork; }
check_vfork() {
    for linkage in shared static; do
        execs
        build vforks.c <<'END'
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
static int child(const char *program, char **envp)
{
    int status = 0;
    leaf();
    pid_t pid = vfork();
    if (pid == 0) {
        execle(program, "execs", "done", "child", (char *)0, envp);
        _exit(errno);
    }
    leaf();
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}
int main(void)
{
    char *few[] = {"A=1", 0}, **many = calloc(33001, sizeof *many);
    for (int i = 0; i < 33000; i++)
        many[i] = "VARIABLE=of many";
    leaf();
    int found = child("./execs", few), missing = child("./nothing", few), large = child("./execs", many);
    leaf();
    printf("%d %d %d\n", found, missing, large);
    return 0;
}
END
        run_well ./vforks
        expect_same "$(tail -n 1 out)" '3 2 3' "exit codes, $linkage"
        expect_calls vforks_all.log leaf 8
        expect_calls vforks_all.log child 3
        expect_same "$(ls -m vforks_*vfd)" vforks_all.vfd "files of the parent"
        rm -f -- *vfd *.log
    done
}

# A child by clone that shares the memory, on a small stack of its own; one that shares it and is not waited for; and one that does not.
test_children_by_clone_leave_the_parent_as_it_was() { config && with_each_compiler check_clone; }
check_clone() {
    execs
    build clones.c <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#define QUIET __attribute__((no_instrument_function))
static void leaf(void) {}
static int child(void *program) QUIET;
static int child(void *program)
{
    execl(program, "execs", "done", "cloned", (char *)0);
    _exit(8);
}
static int by_clone(int flags, char *program)
{
    static char stacks[32][24576];
    static int next;
    int status = 0;
    pid_t pid = clone(child, stacks[next++] + 24576, flags | SIGCHLD, program);
    leaf();
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}
static int by_system_call(char *program)
{
    int status = 0;
    leaf();
    pid_t pid = syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L);
    if (pid == 0)
        child(program);
    waitpid(pid, &status, 0);
    return WEXITSTATUS(status);
}
int main(void)
{
    const int flags[] = {CLONE_VM | CLONE_VFORK, CLONE_VM, 0};
    for (int i = 0; i < 3; i++)
        printf("%d %d ", by_clone(flags[i], "./execs"), by_clone(flags[i], "./nothing"));
    printf("%d %d\n", by_system_call("./execs"), by_system_call("./nothing"));
    leaf();
    return 0;
}
END
    run_well ./clones
    expect_same "$(tail -n 1 out)" '3 8 3 8 3 8 3 8' "exit codes"
    expect_calls clones_all.log leaf 9
    expect_calls clones_all.log by_clone 6
    expect_calls clones_all.log by_system_call 2
    expect_same "$(ls clones_*.tmpvfd 2>/dev/null | wc -l)" 0 "files that are left"
    rm -f -- *vfd *.log
}

run_tests
