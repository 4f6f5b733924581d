# SPDX-License-Identifier: BSD-3-Clause
# Short calls that are only counted, as by default, and all that may happen within or between them.
. "${srcdir:-.}/test/system/lib.sh"

# ./ways WAY: half a million calls of leaf, of which each 500th does what WAY says; at its end, or before it, the calls that there were.
write_program() {
    cat >ways.cpp <<'END'
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <stdexcept>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vftrace.h>
#define QUIET __attribute__((no_instrument_function))
static bool recorded = true;
static long leaf_calls, inner_calls, handled_calls, loop_calls, outer_calls;
static volatile unsigned sink;
static const char *way;
static jmp_buf back;
QUIET static void count(long &calls) { if (recorded) __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED); }
QUIET static bool is(const char *w) { return strcmp(way, w) == 0; }
QUIET static void show()
{
    printf("%ld\tleaf\n%ld\tinner\n%ld\thandled\n%ld\tloop\n%ld\touter\n", leaf_calls, inner_calls, handled_calls, loop_calls, outer_calls);
    fflush(stdout);
}
extern "C" {
void inner(int i) { count(inner_calls); sink += i; }
void handled() { count(handled_calls); for (int i = 0; i < 3; i++) inner(i); }
QUIET static void handler(int) { handled(); }
QUIET static void in_a_child()
{
    static int forks;
    int status;
    if (++forks > 3)
        return;
    if (fork() == 0) {
        leaf_calls = handled_calls = outer_calls = loop_calls = inner_calls = 0;
        for (int i = 0; i < 20000; i++)
            inner(i);
        char name[32];
        snprintf(name, sizeof name, "child.%d", (int)getpid());
        if (!freopen(name, "w", stdout))
            _exit(1);
        show();
        _exit(0);
    }
    wait(&status);
}
QUIET static void unusual()
{
    const bool late = leaf_calls > 150000;
    if (is("signal")) raise(SIGUSR1);
    if (is("longjmp")) longjmp(back, 1);
    if (is("throw")) throw std::runtime_error("unusual");
    if (is("region")) { vftrace_region_begin("region"); vftrace_region_end("region"); }
    if (is("pause")) { vftrace_pause(); recorded = false; inner(0); vftrace_resume(); recorded = true; }
    if (is("stack")) { char *stack = vftrace_get_stack(); if (strncmp(stack, "leaf<", 5) != 0) abort(); free(stack); }
    if (is("fork")) in_a_child();
    if (is("thread") && late) pthread_exit(nullptr);
    if (is("kill") && late) { show(); raise(SIGKILL); }
    if (is("_exit") && late) { show(); _exit(0); }
    if (is("exec") && late) { show(); execl("/bin/true", "true", nullptr); }
}
void leaf(int i) { count(leaf_calls); sink += i; if (i % 500 == 499) unusual(); }
void outer(int i) { count(outer_calls); leaf(i); inner(i); }
QUIET static void one(int i)
{
    if (is("longjmp") && setjmp(back) != 0)
        return;
    if (i & 1) outer(i); else leaf(i + 1);
}
void loop(int n)
{
    count(loop_calls);
    for (int i = 0; i < n; i++)
        if (is("throw")) {
            try { one(i); } catch (std::exception &) {}
        } else
            one(i);
}
QUIET static void *in_thread(void *) { for (;;) loop(1000); }
}
int main(int, char **arguments)
{
    const itimerval often = {{0, 200}, {0, 200}}, never = {};
    way = arguments[1];
    signal(SIGUSR1, handler);
    signal(SIGPROF, handler);
    if (is("timer")) setitimer(ITIMER_PROF, &often, nullptr);
    if (is("thread")) {
        pthread_t threads[4];
        for (pthread_t &t : threads) pthread_create(&t, nullptr, in_thread, nullptr);
        for (pthread_t &t : threads) pthread_join(t, nullptr);
    } else
        for (int i = 0; i < 5; i++) loop(100000);
    setitimer(ITIMER_PROF, &never, nullptr);
    show();
}
END
}

# expect_counts LOG FILE: the calls in a log are those that the program itself counted.
expect_counts() {
    while read -r calls function; do
        expect_calls "$1" "$function" "$calls"
    done <"$2"
}
# The same where a timer interrupts: what a handler calls is not recorded where it has interrupted a hook, but then none of it is.
expect_counts_but_of_interrupted_hooks() {
    local lost
    lost=$(($(awk '$2 == "handled" { print $1 }' "$2") - $(calls_of "$1" handled)))
    expect_at_least "$lost" 0 'handlers that are not in the log'
    awk -v lost="$lost" '{ print $1 - ($2 == "handled" ? lost : $2 == "inner" ? 3 * lost : 0) "\t" $2 }' "$2" >counted
    expect_counts "$1" counted
}
expect_some_only_counted() {
    grep -q '^Note: [0-9]* of [0-9]* calls were counted and not timed' "$1" || fail "all calls were timed: $(grep '^Note' "$1")"
}

# Issue: every call is counted, always.
test_counts_are_exact_whatever_happens_within_a_short_call() {
    local way
    config
    write_program
    check() {
        build ways
        for way in signal timer longjmp throw region pause stack thread; do
            echo "  $cc, $way:"
            run_well ./ways $way
            if [ $way = timer ]; then expect_counts_but_of_interrupted_hooks ways_all.log out; else expect_counts ways_all.log out; fi
            [ $way = pause ] || expect_some_only_counted ways_all.log # short times between pauses are too short to prove anything
        done
    }
    with_each_compiler check
}

test_counts_are_exact_with_the_static_archive_and_with_samples() {
    local way
    config
    write_program
    linkage=archive build ways
    for way in signal longjmp throw thread; do
        run_well ./ways $way
        expect_counts ways_all.log out
    done
    config '"sampling": {"active": true, "sample_interval": 0.0005}'
    build ways
    for way in timer longjmp throw; do
        run_well ./ways $way
        if [ $way = timer ]; then expect_counts_but_of_interrupted_hooks ways_all.log out; else expect_counts ways_all.log out; fi
        expect_some_only_counted ways_all.log
    done
}

# Issue: every call is counted, always. In processes that end in a short call, and in children of one.
test_counts_are_exact_where_a_process_ends_or_forks_within_a_short_call() {
    local way child
    config
    write_program
    build ways
    for way in _exit kill exec; do
        rm -f ./*vfd
        may_be_killed=1 run ./ways $way
        expect_silence
        report ways_*vfd
        expect_counts report out
        expect_some_only_counted report
    done
    rm -f ./*vfd
    run_well ./ways fork
    expect_counts ways_all.log out
    expect_same "$(ls child.* | wc -l)" 3 children
    for child in child.*; do
        report ways_"${child#child.}"*vfd
        expect_counts report "$child"
    done
}

# Issue: every call is counted, always. A module whose functions are where those of another one were that proved short.
test_short_calls_of_a_module_that_is_gone_are_not_taken_for_those_of_the_next() {
    local name
    config
    for name in one two; do
        linkage=none build $name.c -shared -fPIC <<END
static volatile int sink;
static int ${name}_leaf(int n) { sink += n; return n; }
int ${name}_entry(int n) { return ${name}_leaf(n); }
END
    done
    build host.c -ldl <<'END'
#include <dlfcn.h>
int main(void)
{
    for (int round = 0; round < 6; round++) {
        void *plugin = dlopen(round % 2 ? "./two" : "./one", RTLD_NOW);
        int (*entry)(int) = plugin ? (int (*)(int))dlsym(plugin, round % 2 ? "two_entry" : "one_entry") : 0;
        if (!entry)
            return 1;
        for (int i = 0; i < 50000 + round % 2; i++)
            entry(i);
        dlclose(plugin);
    }
    return 0;
}
END
    run_well ./host
    for name in entry leaf; do
        expect_calls host_all.log one_$name 150000
        expect_calls host_all.log two_$name 150003
    done
    expect_some_only_counted host_all.log
}

# Who wants each call from now on, or none any more, gets that with the next call, however short they are.
test_short_calls_follow_what_the_program_wants_from_the_next_one_on() {
    config '"filter": {"live_patching": false}'
    build wishes.c -I"$srcdir/test/system/embedding" <<'END'
#include "embedder.h"
static void leaf(void) {}
static void call(int n) { while (n--) leaf(); }
static void *exclude(void *arg) { vftrace_exclude(leaf); return arg; }
static void *include(void *arg) { vftrace_include(leaf); return arg; }
__attribute__((no_instrument_function)) static void elsewhere(void *(*what)(void *))
{
    pthread_t thread;
    pthread_create(&thread, 0, what, 0);
    pthread_join(thread, 0);
}
int main(void)
{
    call(300000);
    if (embed("el") != VFTRACE_FILES_TOO)
        return 1;
    for (int i = 0; i < 20000; i++)
        leaf();
    if (vftrace_set_callbacks(0) != VFTRACE_FILES_TOO)
        return 2;
    printf("%ld %ld\n", enters, leaves);
    for (int i = 0; i < 10; i++) {
        call(20000);
        elsewhere(exclude);
        call(5000);
        elsewhere(include);
    }
    return 0;
}
END
    run_well ./wishes
    expect_same "$(cat out)" '20000 20000' 'events'
    # The call with which a thread learns of it may count.
    expect_at_least "$(calls_of wishes_all.log leaf)" 520000 'calls of leaf'
    expect_at_most "$(calls_of wishes_all.log leaf)" 520010 'calls of leaf'
    expect_some_only_counted wishes_all.log
}

# Issue: every call is counted, always. Calls of many threads, below a construct of OpenMP.
test_short_calls_in_parallel_regions_are_all_counted() {
    echo 'int main(void) { return 0; }' >empty.c
    $cc -fopenmp empty.c -o empty 2>/dev/null || skip "no OpenMP with $cc"
    config
    build loops.c -fopenmp <<'END'
static void leaf(volatile int *x) { ++*x; }
static void work(volatile int *x) { leaf(x); leaf(x); }
int main(void)
{
    for (int region = 0; region < 5; region++) {
#pragma omp parallel num_threads(4)
        {
            volatile int x = 0;
#pragma omp for
            for (int i = 0; i < 100000; i++)
                work(&x);
        }
    }
    return 0;
}
END
    run_well ./loops
    expect_calls loops_all.log work 500000
    expect_calls loops_all.log leaf 1000000
    expect_some_only_counted loops_all.log
}

run_tests
