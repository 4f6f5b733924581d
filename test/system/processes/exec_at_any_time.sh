# SPDX-License-Identifier: BSD-3-Clause
# exec in signal handlers, beside other threads and during a pause.
. "${srcdir:-.}/test/system/lib.sh"
. "$srcdir/test/system/processes/header.sh"
. "$srcdir/test/system/processes/execs.sh"

# Acceptance case 17
test_exec_in_a_signal_handler_that_interrupts_anything() { config && with_each_compiler check_in_handler; }
check_in_handler() {
    execs
    build handler.c <<'END'
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>
static volatile unsigned long calls;
static void leaf(void) { calls++; }
static void on_alarm(int sig)
{
    leaf();
    execl("./nothing", "nothing", (char *)0);
    execl("./execs", "execs", "done", "of handler", (char *)0);
    _exit(sig);
}
int main(int argc, char **argv)
{
    static char stack[16384];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = argc > 2 ? SA_ONSTACK : 0};
    struct itimerval timer = {.it_value = {0, atoi(argv[1])}};
    sigaltstack(&other, 0);
    sigaction(SIGALRM, &action, 0);
    leaf();
    setitimer(ITIMER_REAL, &timer, 0);
    for (;;)
        leaf();
}
END
    local moment file
    for moment in 300 1777 4001 7003 9011; do
        # shellcheck disable=SC2086
        run ./handler $moment $([ $((moment % 2)) = 0 ] || echo alternate)
        expect_status 3
        expect_silence
        file=$(only 'handler_*.tmpvfd')
        expect_state "$file" Executed
        report "$file"
        expect_at_least "$(calls_of report leaf)" 1 "calls of leaf"
        expect_calls execs_all.log leaf 5
        rm -f -- *vfd *.log
    done
}

test_exec_while_other_threads_record() { config && with_each_compiler check_threads; }
check_threads() {
    execs
    build threads.c <<'END'
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>
static atomic_int ready;
static void leaf(void) {}
static void *works(void *unused)
{
    for (int i = 0; i < 1000; i++)
        leaf();
    ready++;
    for (;;)
        leaf();
    return unused;
}
static void *fails(void *unused)
{
    for (int i = 0; i < 300; i++) {
        execl("./nothing", "nothing", (char *)0);
        if (errno != ENOENT)
            abort();
    }
    ready++;
    return unused;
}
static void *executes(void *unused)
{
    execl("./execs", "execs", "done", "of a thread", (char *)0);
    return unused;
}
int main(int argc, char **argv)
{
    pthread_t thread[5];
    for (int i = 0; i < 4; i++)
        pthread_create(thread + i, 0, i % 2 ? works : fails, 0);
    while (ready < 4)
        usleep(1000);
    if (argc > 1)
        pthread_create(thread + 4, 0, executes, 0);
    else
        executes(argv);
    pause();
}
END
    local from file
    for from in '' thread; do
        # shellcheck disable=SC2086
        run ./threads $from
        expect_status 3
        expect_silence
        file=$(only 'threads_*.tmpvfd')
        expect_state "$file" Executed
        report "$file"
        expect_at_least "$(calls_of report leaf)" 2000 "calls of leaf"
        expect_calls report works 2
        expect_calls report fails 2
        rm -f -- *vfd *.log
    done
}

test_the_time_of_a_pause_before_an_exec_is_no_functions() {
    config
    execs
    build paused.c <<'END'
#include <errno.h>
#include <unistd.h>
#include <vftrace.h>
static void leaf(void) {}
static void works(void)
{
    leaf();
    vftrace_pause();
    leaf();
    execl("./nothing", "nothing", (char *)0);
    usleep(300000);
    execl("./execs", "execs", "done", "paused", (char *)0);
}
int main(void) { works(); }
END
    run ./paused
    expect_status 3
    report "$(only 'paused_*.tmpvfd')"
    expect_calls report leaf 1
    # Exclusive time is the fourth column from the end of the table by function; the pause has it all.
    grouped_times report >times
    awk '$1 == "works" { works = $2 } $1 == "vftrace_pause" { pause = $2 } END { exit !(pause >= 0.3 && works < pause / 2) }' times ||
        fail "times: $(cat times)"
}

grouped_times() {
    awk -F'|' '/Grouped by function name/ { on = 1 } on && NF > 5 { gsub(/ /, ""); print $6, $4 }' "$1"
}

run_tests
