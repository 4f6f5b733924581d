# SPDX-License-Identifier: BSD-3-Clause
# Files of several processes do not collide.
. "${srcdir:-.}/test/system/lib.sh"

test_a_forked_child_has_a_file_of_its_own() {
    config
    build forks.c <<'END'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
static void in_child(void) { for (int i = 0; i < 300; i++) leaf(); }
static void in_parent(void) { for (int i = 0; i < 70; i++) leaf(); }
int main(void)
{
    int status;
    leaf();
    if (fork() == 0) {
        in_child();
        return 9;
    }
    in_parent();
    wait(&status);
    return WEXITSTATUS(status);
}
END
    run ./forks
    expect_status 9
    expect_silence
    expect_calls forks_all.log in_parent 1
    expect_calls forks_all.log in_child 0
    expect_calls forks_all.log leaf 71
    expect_calls forks_all.log main 1
    local child
    child=$(ls forks*.log | grep -v '^forks_all.log$')
    expect_same "$(wc -w <<<"$child")" 1 "logs of children ($(ls -m))"
    expect_calls "$child" in_child 1
    expect_calls "$child" in_parent 0
    expect_calls "$child" leaf 300
}

test_a_child_that_ends_by__exit_leaves_a_readable_file() {
    config
    build forks.c <<'END'
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
static void in_child(void) { for (int i = 0; i < 300; i++) leaf(); }
int main(void)
{
    leaf();
    for (int k = 0; k < 3; k++)
        if (fork() == 0) {
            in_child();
            _exit(0);
        }
    while (wait(0) > 0)
        leaf();
    return 0;
}
END
    run_well ./forks
    expect_calls forks_all.log leaf 4
    expect_calls forks_all.log in_child 0
    local file children=0
    for file in forks_*.tmpvfd; do
        report "$file"
        expect_calls report in_child 1
        expect_calls report leaf 300
        children=$((children + 1))
    done
    expect_same $children 3 "files of children"
}

test_fork_from_a_thread_and_system_and_vfork_do_no_harm() {
    config
    build spawns.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static void leaf(void) {}
static void *work(void *unused)
{
    for (int i = 0; i < 10; i++) {
        pid_t child = fork();
        if (child == 0) {
            leaf();
            _exit(0);
        }
        waitpid(child, 0, 0);
        leaf();
    }
    return unused;
}
int main(void)
{
    pthread_t threads[2];
    pid_t child;
    char *arguments[] = {"true", 0};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    if (system("exit 4") >> 8 != 4)
        return 1;
    if (posix_spawn(&child, "/bin/true", 0, 0, arguments, environ))
        return 2;
    waitpid(child, 0, 0);
    if ((child = vfork()) == 0) {
        execv("/bin/true", arguments);
        _exit(1);
    }
    waitpid(child, 0, 0);
    leaf();
    return 0;
}
END
    run_well ./spawns
    expect_calls spawns_all.log leaf 21
    expect_calls spawns_all.log work 2
    expect_stack spawns_all.log 'leaf<main<init'
}

test_a_raw_fork_does_not_write_into_the_file_of_its_parent() {
    config
    build raw.c <<'END'
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
static void in_child(void) { for (int i = 0; i < 300; i++) leaf(); }
int main(void)
{
    leaf();
    for (int k = 0; k < 3; k++) {
        pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        if (child == 0) {
            in_child();
            _exit(0);
        }
        int status = 1;
        waitpid(child, &status, 0);
        if (status)
            return 1;
    }
    leaf();
    return 0;
}
END
    run_well ./raw
    expect_calls raw_all.log leaf 2
    expect_calls raw_all.log in_child 0
}

test_an_instrumented_handler_may_fire_inside_fork() {
    config
    build chld.c <<'END'
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int reaped;
static void leaf(void) {}
static void handler(int sig)
{
    int saved = errno;
    (void)sig;
    leaf();
    while (waitpid(-1, 0, WNOHANG) > 0)
        reaped++;
    errno = saved;
}
int main(void)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(SIGCHLD, &action, 0);
    for (int i = 0; i < 300; i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        if (child < 0)
            return 1;
    }
    while (reaped < 300)
        usleep(1000);
    return 0;
}
END
    run_well ./chld
    expect_calls chld_all.log main 1
    expect_at_least "$(calls_of chld_all.log handler)" 1 "calls of the handler"
}

test_an_image_that_execs_another_keeps_its_own_file() {
    config
    build again.c <<'END'
#include <unistd.h>
static void leaf(void) {}
static void first(void) { for (int i = 0; i < 111; i++) leaf(); }
static void second(void) { for (int i = 0; i < 22; i++) leaf(); }
int main(int argc, char **argv)
{
    char *arguments[] = {argv[0], "second", 0};
    if (argc > 1) {
        second();
        return 0;
    }
    first();
    execv("./missing", arguments); /* fails, and everything goes on */
    leaf();
    execv(argv[0], arguments);
    return 1;
}
END
    run_well ./again
    expect_calls again_all.log second 1
    expect_calls again_all.log leaf 22
    expect_calls again_all.log first 0
    local file found=0
    for file in again_*.tmpvfd; do
        report "$file"
        expect_calls report first 1
        expect_calls report leaf 112
        found=$((found + 1))
    done
    expect_same $found 1 "files of the first image"
}

test_two_runs_at_once_in_one_folder_overwrite_no_log() {
    config
    build pair.c <<'END'
#include <unistd.h>
static void leaf(void) {}
int main(int argc, char **argv)
{
    char byte;
    for (int i = 0; i < argc * 100; i++)
        leaf();
    (void)argv;
    return read(0, &byte, 1) < 0;
}
END
    mkfifo one two
    ./pair <one 2>err &
    ./pair second <two 2>>err &
    exec 8>one 9>two
    sleep 0.2
    exec 8>&- 9>&-
    wait
    expect_silence
    local file counts
    counts=$(for file in pair*.log; do calls_of "$file" leaf; done | sort | xargs)
    expect_same "$counts" "100 200" "calls of leaf in the logs $(ls -m ./*.log)"
}

run_tests
