# SPDX-License-Identifier: BSD-3-Clause
# Forks while threads, or the forking one itself, are in the midst of something: no child hangs, and each is recorded.
. "${srcdir:-.}/test/system/lib.sh"

# Acceptance case 20: other threads are in hooks, in malloc, in dlopen and in the loader's list of objects meanwhile, and an
# instrumented handler of SIGCHLD fires at any moment. No child hangs.
test_children_of_a_program_whose_threads_are_in_hooks_do_not_hang() {
    config
    with_each_compiler check_busy_threads
}
check_busy_threads() {
    rm -f -- *.vfd *.log
    build busy.c -ldl <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vftrace.h>
static volatile int stop;
static volatile long handled;
static void leaf(void) {}
static void in_handler(void) { ++handled; }
static void on_child(int signal) { (void)signal; in_handler(); }
static int look(struct dl_phdr_info *info, size_t size, void *data) { (void)info, (void)size, (void)data; return 0; }
static void *calls(void *unused) { while (!stop) leaf(); return unused; }
static void *allocates(void *unused) { while (!stop) free(malloc(100000 + rand() % 100000)); return unused; }
static void *loads(void *unused) { while (!stop) { void *m = dlopen("libm.so.6", RTLD_NOW); if (m) dlclose(m); } return unused; }
static void *iterates(void *unused) { while (!stop) dl_iterate_phdr(look, 0); return unused; }
static void *names(void *unused)
{
    char name[32];
    for (int i = 0; !stop; i++) {
        snprintf(name, sizeof name, "region %d", i % 5000);
        vftrace_region_begin(name);
        vftrace_region_end(name);
    }
    return unused;
}
static void in_child(void) { leaf(); }
int main(int argc, char **argv)
{
    int forks = argc > 1 ? atoi(argv[1]) : 10, bad = 0;
    struct sigaction action = {.sa_handler = on_child, .sa_flags = SA_RESTART};
    sigaction(SIGCHLD, &action, 0);
    void *(*const what[])(void *) = {calls, allocates, loads, iterates, names};
    pthread_t threads[5];
    for (int i = 0; i < 5; i++)
        pthread_create(&threads[i], 0, what[i], 0);
    for (int i = 0; i < forks; i++) {
        pid_t children[2];
        for (int k = 0; k < 2; k++)
            if ((children[k] = fork()) == 0) {
                alarm(200);
                in_child();
                exit(0);
            }
        for (int k = 0; k < 2; k++) {
            int status;
            while (waitpid(children[k], &status, 0) < 0) {}
            bad += status != 0;
        }
    }
    stop = 1;
    for (int i = 0; i < 5; i++)
        pthread_join(threads[i], 0);
    printf("%d\n", bad);
    return bad != 0 || handled == 0;
}
END
    run_well ./busy 20
    set -- busy_[0-9]*.vfd
    expect_same $# 40 "number of the children's results"
    local file
    for file; do
        report "$file"
        expect_calls report in_child 1
        expect_calls report leaf 1
        expect_stack report 'leaf<in_child<main<init'
    done
    expect_calls busy_all.log in_child 0
}

# A handler that interrupts a hook forks and returns, in the child too: the hook goes on in both.
test_a_handler_that_interrupts_a_hook_may_fork_and_return() {
    build handler.c <<'END'
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#define QUIET __attribute__((no_instrument_function))
static volatile int forks, most, is_child;
static void leaf(void) {}
static void in_child(void) { leaf(); }
static void work(void) { for (int i = 0; i < 1000 && !is_child; i++) leaf(); }
QUIET static void on_timer(int signal)
{
    (void)signal;
    if (is_child || forks == most)
        return;
#ifdef SYS_fork
    pid_t child = forks % 2 ? (pid_t)syscall(SYS_fork) : fork();
#else
    pid_t child = fork();
#endif
    forks++;
    if (child == 0) {
        struct itimerval off = {{0, 0}, {0, 0}};
        is_child = 1;
        setitimer(ITIMER_REAL, &off, 0);
    }
}
int main(int argc, char **argv)
{
    struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_RESTART};
    struct itimerval often = {{0, 2000}, {0, 2000}};
    int status, bad = 0;
    most = argc > 1 ? atoi(argv[1]) : 1;
    while (argc > 2 && clock() < atof(argv[2]) * CLOCKS_PER_SEC)
        work();
    sigaction(SIGALRM, &action, 0);
    setitimer(ITIMER_REAL, &often, 0);
    while (forks < most && !is_child)
        work();
    if (is_child) {
        in_child();
        return 0;
    }
    while (wait(&status) > 0)
        bad += status != 0;
    printf("%d bad\n", bad);
    return bad != 0;
}
END
    local timeline file
    # No thread is sampled in the first fifth of a second of a process (record/samples/samples.hpp).
    for timeline in '' '"sampling": {"active": true, "sample_interval": 0}' '"timing_samples": "auto"'; do
        rm -f -- *.vfd *.log
        config "$timeline"
        run_well ./handler 20 $([[ $timeline != *samples* ]] || echo 0.5)
        set -- handler_[0-9][0-9]*.vfd
        expect_same $# 20 "number of the children's recordings"
        for file; do
            report "$file"
            expect_calls report in_child 1
            expect_calls report main 0
            expect_stack report 'leaf<in_child<main<init'
        done
    done
}

run_tests
