# SPDX-License-Identifier: BSD-3-Clause
# The shadow stack where calls are many, deep or interrupted: recursion, many callees, signal handlers, errno. What leaves a function by another way than
# its end: flow/.
. "${srcdir:-.}/test/system/lib.sh"

test_mutual_recursion_does_not_grow_the_tree() {
    config
    build mutual.c <<'END'
static long b(int n);
static long a(int n) { return n <= 0 ? 1 : b(n - 1) + 1; }
static long c(int n) { return n <= 0 ? 1 : a(n - 1) + 1; }
static long b(int n) { return n <= 0 ? 1 : (n & 1 ? c(n - 1) : a(n - 1)) + 1; }
int main(void)
{
    long sum = 0;
    for (int i = 0; i < 10; i++)
        sum += a(20000);
    return sum != 200010;
}
END
    run_well ./mutual
    expect_same "$(($(calls_of mutual_all.log a) + $(calls_of mutual_all.log b) + $(calls_of mutual_all.log c)))" 200010 \
        "calls"
    stacks_at_most mutual_all.log 100
}

test_direct_recursion_is_one_entry_whose_calls_are_counted() {
    config
    build direct.c <<'END'
static int leaf(int n) { return n; }
static int down(int n) { return n ? down(n - 1) + leaf(0) : leaf(1); }
int main(void) { return down(5000) != 1; }
END
    run_well ./direct
    expect_calls direct_all.log down 5001
    expect_calls direct_all.log leaf 5001
    expect_stack direct_all.log 'down<main<init'
    expect_stack direct_all.log 'leaf<down<main<init'
    stacks_at_most direct_all.log 4
}

# The same function, recursing through a pointer from the hooks' point of view at random, 3000 deep, with millions of
# call paths in the end.
test_recursion_3000_deep_with_a_million_paths_ends_with_a_small_log() {
    unset VFTR_CONFIG
    build wild.c <<'END'
#include <stdio.h>
#define QUIET __attribute__((no_instrument_function))
typedef void function(int);
static function *const functions[16];
static unsigned state = 1;
static QUIET unsigned next(void) { return (state = state * 1664525u + 1013904223u) >> 16; }
#define F(i) static void f##i(int n) { if (n) functions[next() % 16](n - 1); }
#define ALL(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
ALL(F)
#define P(i) f##i,
static function *const functions[16] = {ALL(P)};
int main(void)
{
    for (int i = 0; i < 700; i++)
        functions[next() % 16](2999);
    return 0;
}
END
    run_well ./wild
    expect_file wild_all.log
    expect_at_most "$(stat -c %s wild_all.log)" 5000000 "size of the log"
    config
    run_well ./wild
    local total
    total=$(grouped_counts wild_all.log | awk -F'\t' '$2 ~ /^f[0-9]+$/ { n += $1 } END { print n }')
    expect_same "$total" 2100000 "calls of all functions"
    run_counted ./wild
    expect_same_counts wild_all.log counts wild
}

test_500_callees_of_one_function_are_kept_apart() {
    config
    {
        for i in $(seq 500); do echo "static void callee$i(void) {}"; done
        echo 'int main(void) { for (int i = 0; i < 3; i++) {'
        for i in $(seq 500); do echo "callee$i();"; done
        echo '} return 0; }'
    } >many.c
    build many
    run_well ./many
    expect_same "$(grouped_counts many_all.log | grep -cP '^3\tcallee')" 500 "functions called 3 times"
}

# The handler calls more functions than any other, and deeper ones: whatever a hook that it interrupted has in its registers has moved since.
test_long_signal_handlers_that_interrupt_hooks_do_no_harm() {
    config
    check() {
        build long_handlers.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>
enum { Threads = 40 };
static __thread volatile int handled;
static volatile int ready, over;
static long calls;
static sigset_t alarms;
static void in_handler(void) { __asm__ volatile(""); }
static int deep(int n) { in_handler(); return n <= 0 ? 0 : deep(n - 1) + 1; }
static void handler(int sig)
{
    if (handled++ == 0) // it was pending: nothing is interrupted
        return;
    if (handled == 3)
        for (int i = 0; i < 40000; i++)
            in_handler();
    deep(handled == 2 ? 100 : 2000);
    (void)sig;
}
static void leaf(void) { __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED); }
static void work(void) { leaf(); __asm__ volatile(""); }
static void *thread(void *unused)
{
    for (int i = 0; i < 100000; i++)
        work();
    pthread_sigmask(SIG_UNBLOCK, &alarms, 0);
    while (handled < 4)
        work();
    pthread_sigmask(SIG_BLOCK, &alarms, 0);
    ready++;
    while (!over)
        usleep(1000);
    return unused;
}
int main(void)
{
    pthread_t threads[Threads];
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    struct itimerval often = {{0, 1000}, {0, 1000}};
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarms, 0);
    sigaction(SIGALRM, &action, 0);
    setitimer(ITIMER_REAL, &often, 0);
    for (int i = 0; i < Threads; i++) {
        pthread_create(&threads[i], 0, thread, 0);
        while (ready <= i)
            usleep(1000);
    }
    over = 1;
    for (int i = 0; i < Threads; i++)
        pthread_join(threads[i], 0);
    printf("%ld\n", calls);
    return 0;
}
END
        run_well ./long_handlers
        expect_calls long_handlers_all.log work "$(cat out)"
        expect_calls long_handlers_all.log leaf "$(cat out)"
    }
    with_each_compiler check
}

test_signal_handlers_that_interrupt_hooks_do_no_harm() {
    config
    check() {
        build storm.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
static volatile long handled;
static void in_handler(void) {}
static void handler(int sig) { handled++; in_handler(); (void)sig; }
static int leaf(int n)
{
    for (volatile int i = 0; i < 300; i++)
        ;
    return n + 1;
}
static int work(int n) { return leaf(n) + 1; }
int main(void)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    struct itimerval often = {{0, 50}, {0, 50}};
    sigaction(SIGALRM, &action, 0);
    setitimer(ITIMER_REAL, &often, 0);
    long n = 0;
    while (handled < 2000) {
        work(1);
        n++;
    }
    often.it_value.tv_usec = 0;
    setitimer(ITIMER_REAL, &often, 0);
    printf("%ld %ld\n", n, handled);
    return 0;
}
END
        run_well ./storm
        local calls handled seen
        read -r calls handled <out
        expect_calls storm_all.log work "$calls"
        expect_calls storm_all.log leaf "$calls"
        expect_calls storm_all.log main 1
        # A handler that came while a hook ran is counted as dropped, no more.
        seen=$(calls_of storm_all.log handler)
        expect_at_most "$seen" "$handled" "calls of the handler"
        expect_at_least "$seen" $((handled / 4)) "calls of the handler"
        ! stacks_of storm_all.log | grep -qv '<init$\|^init$' || fail "a stack does not end in init"
    }
    with_each_compiler check
}

test_errno_survives_the_hooks() {
    config '"sampling": {"active": true, "sample_interval": 0}'
    build errors.c <<'END'
#include <errno.h>
#include <pthread.h>
static void leaf(void) {}
static void grow(int n) { leaf(); if (n) grow(n - 1); leaf(); }
static void *first_of_thread(void *unused)
{
    errno = 77;
    grow(300);
    return errno == 77 ? unused : (void *)1;
}
int main(void)
{
    errno = 55; /* the slow paths as well: the first call of a thread, a stack and a file that grow */
    for (int i = 0; i < 20000; i++)
        leaf();
    grow(5000);
    if (errno != 55)
        return 1;
    for (int i = 0; i < 50; i++) {
        pthread_t thread;
        void *bad;
        pthread_create(&thread, 0, first_of_thread, 0);
        pthread_join(thread, &bad);
        if (bad)
            return 2;
    }
    return 0;
}
END
    run_well ./errors
}

run_tests
