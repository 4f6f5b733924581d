# SPDX-License-Identifier: BSD-3-Clause
# Frames that vanish, come back or come in between: longjmp, exceptions, tail calls, signal handlers, recursion.
. "${srcdir:-.}/test/system/lib.sh"

# stacks_at_most LOG N: the call tree is no larger than the program's.
stacks_at_most() { expect_at_most "$(stacks_of "$1" | wc -l)" "$2" "call stacks in $1"; }

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
            # At -O2 leaf may stand deeper than the frame of middle that is gone, and then looks like its callee.
            [ "$optimise" != -O0 ] || expect_stack jumps_all.log 'leaf<main<init'
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

test_cxx_exceptions_keep_counts_and_stacks() {
    config
    check() {
        for optimise in -O0 -O2; do
            build thrower.cpp <<'END'
#include <cstdio>
struct Guard {
    ~Guard();
};
extern "C" {
__attribute__((noinline)) void leaf() { __asm__ volatile(""); }
__attribute__((noinline)) void cleanup() { leaf(); }
__attribute__((noinline)) void thrower(int n) { leaf(); throw n; }
__attribute__((noinline)) void passer(int n) { Guard guard; thrower(n); }
__attribute__((noinline)) void outer(int n) { passer(n); __asm__ volatile(""); }
__attribute__((noinline)) int catcher(int n)
{
    try {
        outer(n);
    } catch (int value) {
        leaf();
        return value;
    }
    return 0;
}
}
Guard::~Guard() { cleanup(); }
int main()
{
    long sum = 0;
    for (int i = 0; i < 2000; i++)
        sum += catcher(i);
    leaf();
    std::printf("%ld\n", sum);
}
END
            run_well ./thrower
            expect_same "$(cat out)" 1999000 "output"
            for f in catcher outer passer thrower cleanup; do expect_calls thrower_all.log $f 2000; done
            expect_calls thrower_all.log leaf 6001
            expect_stack thrower_all.log 'leaf<main<init'
            expect_stack thrower_all.log 'leaf<catcher<main<init'
            expect_stack thrower_all.log 'leaf<thrower<passer<outer<catcher<main<init'
            stacks_at_most thrower_all.log 13
            rm -f -- *.log
        done
    }
    with_each_compiler check
}

test_sibling_calls_keep_the_counts() {
    config
    check() {
        optimise='-O2 -foptimize-sibling-calls' build siblings.c <<'END'
__attribute__((noinline)) static int last(int n) { __asm__ volatile(""); return n; }
__attribute__((noinline)) static int odd(int n);
__attribute__((noinline)) static int even(int n) { return n == 0 ? last(1) : odd(n - 1); }
__attribute__((noinline)) static int odd(int n) { return n == 0 ? last(0) : even(n - 1); }
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum += even(50);
    return sum != 100;
}
END
        run_well ./siblings
        run_counted ./siblings
        expect_same_counts siblings_all.log counts siblings
        expect_at_most "$(stacks_of siblings_all.log | wc -l)" 30 "call stacks"
    }
    with_each_compiler check
}

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

test_a_handler_on_an_alternate_stack_does_not_drop_frames() {
    config
    # In a thread, so that there is an alternate stack above its own in memory and one below.
    build alternate.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
enum { Size = 1 << 16, Own = 1 << 18 };
static char *memory;
static void leaf(void) {}
static void inner(void) { leaf(); }
static void handler(int sig) { inner(); (void)sig; }
static void work(void) { leaf(); raise(SIGUSR1); leaf(); }
static void *thread(void *unused)
{
    char *const places[] = {memory, memory + Size + Own};
    for (int i = 0; i < 2; i++) {
        stack_t stack = {.ss_sp = places[i], .ss_size = Size};
        struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
        sigaltstack(&stack, 0);
        sigaction(SIGUSR1, &action, 0);
        for (int k = 0; k < 100; k++)
            work();
    }
    leaf();
    return unused;
}
int main(void)
{
    pthread_attr_t attributes;
    pthread_t id;
    memory = mmap(0, Own + 2 * Size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, memory + Size, Own);
    return pthread_create(&id, &attributes, thread, 0) || pthread_join(id, 0);
}
END
    run_well ./alternate
    expect_calls alternate_all.log work 200
    expect_calls alternate_all.log handler 200
    expect_calls alternate_all.log inner 200
    expect_calls alternate_all.log leaf 601
    expect_stack alternate_all.log 'leaf<thread<init'
    expect_stack alternate_all.log 'leaf<work<thread<init'
    expect_stack alternate_all.log 'leaf<inner<handler<work<thread<init'
    stacks_at_most alternate_all.log 9
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

test_coroutines_with_stacks_of_their_own_keep_the_counts() {
    config
    build switches.c <<'END'
#include <ucontext.h>
static ucontext_t here, there;
static char stack[65536];
static void leaf(void) {}
static void inside(void)
{
    for (;;) {
        leaf();
        swapcontext(&there, &here);
    }
}
static void visit(void) { swapcontext(&here, &there); leaf(); }
int main(void)
{
    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    makecontext(&there, inside, 0);
    for (int i = 0; i < 500; i++)
        visit();
    leaf();
    return 0;
}
END
    run_well ./switches
    expect_calls switches_all.log visit 500
    expect_calls switches_all.log leaf 1001
    expect_at_most "$(stacks_of switches_all.log | wc -l)" 20 "call stacks"
}

run_tests
