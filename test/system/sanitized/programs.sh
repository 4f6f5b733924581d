# SPDX-License-Identifier: BSD-3-Clause
# Under sanitizers: programs of one thread, their logs and their timelines, and programs that start others.
. "${srcdir:-.}/test/system/sanitized/lib_sanitized.sh"

test_a_serial_program() {
    config
    sanitized heat.c -lm <"$srcdir/examples/heat.c"
    run ./heat 400
    expect_no_report
    expect_calls heat_all.log relax 400
    run "$vftr" report heat_all.vfd
    expect_no_report
}

test_a_program_with_every_event_recorded() {
    config '"sampling": {"active": true, "sample_interval": 0}, "mpi": {"show_table": true}'
    sanitized heat.c -lm <"$srcdir/examples/heat.c"
    run ./heat 400
    expect_no_report
    expect_file heat_0.vfd
    run "$vftr" report heat_0.vfd
    expect_no_report
}

test_containers_of_a_cxx_program() {
    config
    sanitized containers.cpp <"$srcdir/examples/cpp_containers.cpp"
    run ./containers
    expect_no_report
    expect_file containers_all.log
}

test_programs_that_are_started_in_every_way() {
    config
    sanitized starts.c <<'END'
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static char *child[] = {"starts", "child", 0}, *few[] = {"A=1", 0};
static void leaf(void) {}
static int code(pid_t pid)
{
    int status = 0;
    leaf();
    return waitpid(pid, &status, 0) == pid ? WEXITSTATUS(status) : -1;
}
int main(int argc, char **argv)
{
    pid_t pid;
    leaf();
    if (argc > 1)
        return 5;
    if (execl("./nothing", "nothing", (char *)0) != -1 || errno != ENOENT)
        return 1;
    if ((pid = fork()) == 0)
        leaf(), _exit(6);
    if (code(pid) != 6)
        return 2;
    if ((pid = fork()) == 0)
        execve(argv[0], child, few);
    if (code(pid) != 5)
        return 3;
    if ((pid = vfork()) == 0) {
        execv(argv[0], child);
        _exit(7);
    }
    if (code(pid) != 5)
        return 4;
    if (posix_spawn(&pid, argv[0], 0, 0, child, environ) || code(pid) != 5)
        return 5;
    if (WEXITSTATUS(system("./starts child")) != 5)
        return 6;
    execlp("sh", "sh", "-c", "exit 0", (char *)0);
    return 7;
}
END
    run ./starts
    expect_no_report
    expect_same "$(ls starts_*.vfd | wc -l)" 4 "recordings of programs that were started"
    expect_same "$(ls starts_*.tmpvfd | wc -l)" 2 "recordings that end with exec and _exit"
}

run_tests
