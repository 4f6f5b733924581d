# SPDX-License-Identifier: BSD-3-Clause
# longjmp and siglongjmp: counts are exact, and what comes next is below the function that was jumped to.
. "${srcdir:-.}/test/system/lib.sh"

# Issue: longjmp/siglongjmp (also out of signal handlers); counts exact, a lost exit heals within one event.
test_3000_longjmps_leave_no_phantom_stacks() {
    config
    check() {
        for optimise in -O0 -O2; do
            build jumps.c <<'END'
#include <setjmp.h>
static jmp_buf back;
static volatile int round_;
__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void deep(int n)
{
    leaf();
    if (n)
        deep(n - 1);
    longjmp(back, 1);
}
__attribute__((noinline)) static void middle(void) { deep(3); __asm__ volatile(""); }
int main(void)
{
    setjmp(back);
    if (round_++ < 3000)
        middle();
    leaf();
    return 0;
}
END
            run_well ./jumps
            expect_calls jumps_all.log middle 3000
            expect_calls jumps_all.log deep 12000
            expect_calls jumps_all.log leaf 12001
            # At -O2 leaf may stand deeper than the frame of middle that is gone.
            expect_stack jumps_all.log 'leaf<main<init'
            expect_stack jumps_all.log 'leaf<deep<middle<main<init'
            stacks_at_most jumps_all.log 6
        done
    }
    with_each_compiler check
}

test_siglongjmp_from_a_handler_keeps_the_counts() {
    config
    build handler_jumps.c <<'END'
#include <setjmp.h>
#include <signal.h>
static sigjmp_buf back;
static volatile int rounds;
static void leaf(void) {}
static void handler(int sig) { leaf(); (void)sig; siglongjmp(back, 1); }
static void work(void) { leaf(); raise(SIGUSR1); }
int main(void)
{
    signal(SIGUSR1, handler);
    sigsetjmp(back, 1);
    if (rounds++ < 1000)
        work();
    leaf();
    return 0;
}
END
    run_well ./handler_jumps
    expect_calls handler_jumps_all.log work 1000
    expect_calls handler_jumps_all.log handler 1000
    expect_calls handler_jumps_all.log leaf 2001
    expect_stack handler_jumps_all.log 'leaf<main<init'
    stacks_at_most handler_jumps_all.log 7
}

# Issue: a lost exit heals within one event. What the function does that was jumped to calls a function with a larger frame than those that are gone: by its
# stack pointer it might be their callee.
test_each_kind_of_longjmp_heals_at_once() {
    config
    check() {
        for optimise in -O0 '-O2 -D_FORTIFY_SOURCE=2'; do
            build kinds.c <<'END'
#define _GNU_SOURCE
#include <setjmp.h>
static sigjmp_buf back;
static volatile int kind;
__attribute__((noinline)) static void wide(void)
{
    volatile char room[4000];
    room[0] = room[3999] = 1;
}
__attribute__((noinline)) static void narrow(void)
{
    if (kind == 1)
        siglongjmp(back, 1);
    longjmp(back, 1);
}
__attribute__((noinline)) static void middle(void) { narrow(); __asm__ volatile(""); }
__attribute__((noinline)) static void home(void)
{
    if (sigsetjmp(back, kind) == 0)
        middle();
    wide();
}
__attribute__((noinline)) static void plain_home(void)
{
    if (_setjmp(back) == 0)
        middle();
    wide();
}
int main(void)
{
    for (int i = 0; i < 100; i++) {
        kind = i % 2;
        home();
        plain_home();
    }
    return 0;
}
END
            run_well ./kinds
            for f in home plain_home; do
                expect_calls kinds_all.log $f 100
                expect_stack kinds_all.log "wide<$f<main<init"
                expect_stack kinds_all.log "narrow<middle<$f<main<init"
            done
            expect_calls kinds_all.log wide 200
            stacks_at_most kinds_all.log 10
        done
    }
    with_each_compiler check
}

# The first hook of a process and of a thread begins its recording, which is done or not begun.
test_siglongjmp_out_of_the_first_hook_leaves_the_recording_begun() {
    config
    build first_hooks.c -pthread <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#define QUIET __attribute__((no_instrument_function))
static void leaf(void) {}
static __thread sigjmp_buf back;
static __thread volatile int armed;
static int jumps;
QUIET static void on_signal(int number)
{
    (void)number;
    if (armed) {
        armed = 0;
        jumps++;
        siglongjmp(back, 1);
    }
}
QUIET static void *work(void *ns)
{
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
    event._sigev_un._tid = (int)syscall(SYS_gettid);
    struct itimerspec once = {{0, 0}, {0, (long)ns}};
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    if (!sigsetjmp(back, 1)) {
        armed = 1;
        timer_settime(timer, 0, &once, 0);
        leaf();
        while (armed)
            ;
    }
    timer_delete(timer);
    for (int i = 0; i < 100; i++)
        leaf();
    return 0;
}
QUIET int main(void)
{
    signal(SIGUSR1, on_signal);
    work((void *)400000l);
    for (long i = 0; i < 400; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, work, (void *)(1000 + i * 97 % 40000));
        pthread_join(thread, 0);
    }
    printf("%d", jumps);
    return 0;
}
END
    run_well ./first_hooks
    expect_same "$(cat out)" 401 "jumps"
    expect_at_least "$(calls_of first_hooks_all.log leaf)" 40100 'calls of leaf'
    expect_at_most "$(calls_of first_hooks_all.log leaf)" 40501 'calls of leaf'
}

# Whatever the first call into a library has us hold, such as a lock, is held for good if it is jumped out of.
test_siglongjmp_out_of_the_first_calls_into_libraries_leaves_nothing_behind() {
    local i
    echo 'static int inner(int n) { return n + 1; } int entry(int n) { return inner(n); }' >library.c
    for i in 1 2 3 4; do
        $cc -finstrument-functions -fPIC -shared library.c -o library$i.so || fail "library$i.so"
    done
    build first_calls.c -ldl <<'END'
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
static sigjmp_buf back;
static volatile int armed;
__attribute__((no_instrument_function)) static void handler(int sig)
{
    (void)sig;
    if (armed)
        siglongjmp(back, 1);
}
int main(void)
{
    char name[] = "./library1.so";
    signal(SIGALRM, handler);
    for (volatile int i = 0; i < 2000; i++) {
        struct itimerval soon = {{0, 0}, {0, 1 + i % 61}}, never = {{0, 0}, {0, 0}};
        name[9] = '1' + i % 4;
        void *library = dlopen(name, RTLD_NOW);
        int (*entry)(int) = library ? (int (*)(int))dlsym(library, "entry") : 0;
        if (!entry)
            return 1;
        if (sigsetjmp(back, 1) == 0) {
            armed = 1;
            setitimer(ITIMER_REAL, &soon, 0);
            entry(3);
        }
        armed = 0;
        setitimer(ITIMER_REAL, &never, 0);
        entry(4);
        dlclose(library);
    }
    return 0;
}
END
    config
    run_well ./first_calls
    expect_at_least "$(calls_of first_calls_all.log entry)" 2000 'calls of entry'
}

# Issue: siglongjmp out of signal handlers: one on an alternate stack, and in several threads.
test_siglongjmp_from_an_alternate_stack_keeps_the_counts() {
    config
    build alternates.c <<'END'
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
static __thread sigjmp_buf back;
static __thread volatile int rounds;
static void leaf(void) {}
static void inner(void) { leaf(); siglongjmp(back, 1); }
static void handler(int sig) { inner(); (void)sig; }
static void work(void) { leaf(); pthread_kill(pthread_self(), SIGUSR1); }
static void *thread(void *unused)
{
    stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
    sigaltstack(&stack, 0);
    sigsetjmp(back, 1);
    if (rounds++ < 500)
        work();
    leaf();
    return unused;
}
int main(void)
{
    pthread_t id[4];
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR1, &action, 0);
    for (int i = 0; i < 4; i++)
        pthread_create(&id[i], 0, thread, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(id[i], 0);
    thread(0);
    return 0;
}
END
    run_well ./alternates
    for f in work handler inner; do expect_calls alternates_all.log $f 2500; done
    expect_calls alternates_all.log leaf 5005
    for parent in init 'main<init'; do
        expect_stack alternates_all.log "leaf<thread<$parent"
        expect_stack alternates_all.log "leaf<inner<handler<work<thread<$parent"
    done
    stacks_at_most alternates_all.log 16
}

# Issue: siglongjmp out of signal handlers, those too that interrupted a hook.
test_siglongjmp_out_of_hooks_keeps_the_counts() {
    config
    build storm.c <<'END'
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
static sigjmp_buf back;
static volatile long rounds, works;
static volatile sig_atomic_t armed;
static void leaf(void) {}
__attribute__((no_instrument_function)) static void handler(int sig)
{
    (void)sig;
    if (armed) {
        armed = 0;
        siglongjmp(back, 1);
    }
}
static void work(void) { works++; leaf(); }
int main(void)
{
    struct itimerval often = {{0, 50}, {0, 50}};
    signal(SIGALRM, handler);
    if (sigsetjmp(back, 1) == 0) /* before the first signal can come */
        setitimer(ITIMER_REAL, &often, 0);
    if (rounds++ < 2000) {
        armed = 1;
        for (;;)
            work();
    }
    often.it_value.tv_usec = 0;
    setitimer(ITIMER_REAL, &often, 0);
    printf("%ld\n", works);
    return 0;
}
END
    run_well ./storm
    local works
    read -r works <out
    # A call that a jump caught between its hook and its first act may count or not: one a round.
    expect_at_least "$(calls_of storm_all.log work)" $((works - 2000)) "calls of work"
    expect_at_most "$(calls_of storm_all.log work)" $((works + 2000)) "calls of work"
    stacks_at_most storm_all.log 6
}

# Issue: after some siglongjmps out of handlers that interrupted the first calls of filtered functions, the thread was not recorded any more.
test_siglongjmp_out_of_the_first_calls_of_filtered_functions_keeps_the_thread_recorded() {
    local i
    config '"filter": {"exclude": {"functions": "^f[0-9]*[13579]$"}}'
    {
        for ((i = 0; i < 2000; i++)); do echo "static void f$i(void) {}"; done
        echo 'static void (*const all[])(void) = {'
        for ((i = 0; i < 2000; i++)); do echo "f$i,"; done
        cat <<'END'
};
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
static sigjmp_buf back;
static volatile sig_atomic_t armed;
static volatile int next;
static void leaf(void) {}
static void handled(void) {}
static void handler(int sig)
{
    handled();
    (void)sig;
    if (armed)
        siglongjmp(back, 1);
}
int main(void)
{
    struct itimerval often = {{0, 20}, {0, 20}}, never = {{0, 0}, {0, 0}};
    signal(SIGALRM, handler);
    if (sigsetjmp(back, 1) == 0) /* before the first signal can come */
        setitimer(ITIMER_REAL, &often, 0);
    for (armed = 1; next < 2000;)
        all[next++]();
    armed = 0;
    setitimer(ITIMER_REAL, &never, 0);
    for (int i = 0; i < 1000; i++)
        leaf();
    return 0;
}
END
    } >filtered.c
    build filtered
    for ((i = 0; i < 3; i++)); do
        run_well ./filtered
        expect_calls filtered_all.log leaf 1000
        expect_stack filtered_all.log 'leaf<main<init'
    done
}

# Issue: siglongjmp out of hooks, of those too that have just noticed that another fiber runs.
test_siglongjmp_out_of_hooks_between_fibers_keeps_the_counts() {
    config
    build fiber_storm.c <<'END'
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <ucontext.h>
#define QUIET __attribute__((no_instrument_function))
static sigjmp_buf back;
static ucontext_t home, fiber;
static volatile long rounds, works;
static volatile sig_atomic_t at_home;
static char stack[65536];
static void on_fiber(void) {}
static void work(void) { works++; }
QUIET static void handler(int sig)
{
    (void)sig;
    if (at_home) {
        at_home = 0;
        siglongjmp(back, 1);
    }
}
QUIET static void run(void)
{
    for (;;) {
        on_fiber();
        swapcontext(&fiber, &home);
    }
}
int main(void)
{
    struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
    getcontext(&fiber);
    fiber.uc_stack.ss_sp = stack;
    fiber.uc_stack.ss_size = sizeof stack;
    makecontext(&fiber, run, 0);
    signal(SIGALRM, handler);
    if (sigsetjmp(back, 1) == 0) /* before the first signal can come */
        setitimer(ITIMER_REAL, &often, 0);
    if (rounds++ < 2000)
        for (;;) {
            swapcontext(&home, &fiber);
            at_home = 1;
            work();
            at_home = 0;
        }
    setitimer(ITIMER_REAL, &never, 0);
    printf("%ld\n", works);
    return 0;
}
END
    run_well ./fiber_storm
    local works
    read -r works <out
    # A call that a jump caught between its hook and its first act may count or not: one a round.
    expect_at_least "$(calls_of fiber_storm_all.log work)" $((works - 2000)) "calls of work"
    expect_at_most "$(calls_of fiber_storm_all.log work)" $((works + 2000)) "calls of work"
    expect_stack fiber_storm_all.log 'work<main<init'
    expect_no_stack fiber_storm_all.log '^work<init$'
    stacks_at_most fiber_storm_all.log 4
}

# Issue: a lost exit heals within one event. One setjmp, and many jumps from all depths: no stack is there that the program has not.
test_many_jumps_from_all_depths_leave_no_phantom_stacks() {
    config
    check() {
        optimise=-O2 build depths.c <<'END'
#include <setjmp.h>
static jmp_buf back;
static volatile int round_;
#define N __attribute__((noinline)) static void
N leaf(void) { __asm__ volatile(""); }
N deep(int n) { if (n == 0) longjmp(back, 1); leaf(); deep(n - 1); __asm__ volatile(""); }
N odd(int n) { volatile char room[300]; room[n] = 0; deep(n); }
N even(int n) { deep(n); __asm__ volatile(""); }
int main(void)
{
    setjmp(back);
    if (round_++ < 5000)
        (round_ & 1 ? odd : even)(round_ % 37);
    leaf();
    return 0;
}
END
        run_well ./depths
        run_counted ./depths
        expect_same_counts depths_all.log counts depths
        expect_same "$(stacks_of depths_all.log | LC_ALL=C sort -u | tr '\n' ' ')" \
            "deep<even<main<init deep<odd<main<init even<main<init init leaf<deep<even<main<init leaf<deep<odd<main<init leaf<main<init main<init odd<main<init " \
            "all call stacks"
    }
    with_each_compiler check
}

run_tests
