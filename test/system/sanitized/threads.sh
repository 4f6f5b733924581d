# SPDX-License-Identifier: BSD-3-Clause
# Under sanitizers: threads that come, go and end in every way, and what they jump over.
. "${srcdir:-.}/test/system/sanitized/lib_sanitized.sh"

test_threads_that_come_and_go() {
    config
    sanitized threads.c <<'END'
#include <pthread.h>
#include <vftrace.h>
static int leaf(int n) { return n + 1; }
static void *work(void *unused)
{
    vftrace_region_begin("work");
    for (int i = 0, n = 0; i < 2000; i++)
        n = leaf(n);
    vftrace_region_end("work");
    return unused;
}
int main(void)
{
    pthread_t threads[8];
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 8; i++)
            if (pthread_create(&threads[i], 0, work, 0))
                return 1;
        vftrace_pause();
        vftrace_resume();
        for (int i = 0; i < 8; i++)
            pthread_join(threads[i], 0);
    }
    return 0;
}
END
    run ./threads
    expect_no_report
    expect_file threads_all.log
}

test_threads_in_which_nothing_happens() {
    config
    sanitized nothing.c <<'END'
#include <pthread.h>
__attribute__((no_instrument_function)) static void *nothing(void *unused) { return unused; }
int main(void)
{
    pthread_t threads[8];
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 8; i++)
            pthread_create(&threads[i], 0, nothing, 0);
        for (int i = 0; i < 8; i++)
            pthread_join(threads[i], 0);
    }
    return 0;
}
END
    run ./nothing
    expect_no_report
    expect_calls nothing_all.log main 1
}

# Issue: "TSan-clean stress tests" of threads: each makes others, some are detached, cancelled or leave by pthread_exit, records are taken over, and
# one pauses and resumes all of them meanwhile.
test_a_storm_of_threads_that_make_threads() {
    config
    sanitized storm.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
#include <vftrace.h>
static atomic_int alive;
static int leaf(int n) { return n + 1; }
static void *leave(void *unused)
{
    leaf(1);
    atomic_fetch_sub(&alive, 1);
    pthread_exit(unused);
}
static void *wait(void *unused)
{
    for (;;) {
        leaf(2);
        pthread_testcancel();
    }
    return unused;
}
static void *make(void *unused)
{
    pthread_t joined, cancelled, detached;
    atomic_fetch_add(&alive, 2);
    pthread_create(&joined, 0, leave, 0);
    pthread_create(&detached, 0, leave, 0);
    pthread_detach(detached);
    pthread_create(&cancelled, 0, wait, 0);
    leaf(3);
    pthread_cancel(cancelled);
    pthread_join(cancelled, 0);
    pthread_join(joined, 0);
    return unused;
}
int main(void)
{
    pthread_t threads[4];
    for (int round = 0; round < 30; round++) {
        for (int i = 0; i < 4; i++)
            pthread_create(&threads[i], 0, make, 0);
        if (round % 10 == 5) {
            vftrace_pause();
            vftrace_resume();
        }
        for (int i = 0; i < 4; i++)
            pthread_join(threads[i], 0);
    }
    while (atomic_load(&alive))
        usleep(1000);
    return 0;
}
END
    run ./storm
    expect_no_report
    expect_at_least "$(calls_of storm_all.log make)" 108 "calls of make" # of 120: some may have begun in a pause
    expect_at_most "$(calls_of storm_all.log make)" 120 "calls of make"
    expect_at_least "$(calls_of storm_all.log leave)" 200 "calls of leave"
}

test_jumps_exceptions_and_contexts_in_threads() {
    config
    sanitized flow.cpp <<'END'
#include <csetjmp>
#include <cstdlib>
#include <pthread.h>
#include <ucontext.h>
static __thread std::jmp_buf back;
static __thread ucontext_t here, there;
__attribute__((noinline)) static void leaf() { asm volatile(""); }
__attribute__((noinline)) static void jumper(int n) { leaf(); if (n) jumper(n - 1); else std::longjmp(back, 1); }
__attribute__((noinline)) static void thrower(int n) { leaf(); if (n) thrower(n - 1); else throw n; }
static void catcher(int n) { try { thrower(n); } catch (int) { leaf(); } }
static void fiber() { for (;;) { leaf(); swapcontext(&there, &here); } }
static void visit() { swapcontext(&here, &there); leaf(); }
static void* work(void* unused)
{
    static __thread volatile int round;
    getcontext(&there);
    there.uc_stack.ss_sp = malloc(65536);
    there.uc_stack.ss_size = 65536;
    makecontext(&there, fiber, 0);
    if (setjmp(back) == 0 || round < 200)
        jumper(++round % 20);
    for (int i = 0; i < 200; i++) {
        catcher(i % 10);
        visit();
    }
    free(there.uc_stack.ss_sp);
    return unused;
}
int main()
{
    pthread_t threads[4];
    for (pthread_t& thread : threads)
        pthread_create(&thread, nullptr, work, nullptr);
    for (pthread_t thread : threads)
        pthread_join(thread, nullptr);
}
END
    run ./flow
    expect_no_report
    expect_calls flow_all.log 'catcher(int)' 800
    expect_calls flow_all.log 'visit()' 800
    expect_calls flow_all.log 'fiber()' 4
    expect_stack flow_all.log 'leaf()<fiber()<init'
}

# Issue: TSan: reports in `vftrace_shutdown` under load (`hook_costs`).
# Each thread finds call paths all the time, and asks for each whether it pays to time all of its calls; others change what is recorded and copy
# the recording meanwhile. It ends by vftrace_shutdown, whatever they do, or with the process.
test_the_recording_ends_while_threads_find_new_paths() {
    local end
    config
    sanitized plugin.c -shared -fPIC <<'END'
static int inner(int n) { return n + 1; }
int entry(int n) { return inner(n); }
END
    mv plugin plugin.so
    sanitized loaded.c -ldl <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include <vftrace.h>
enum { THREADS = 4, KINDS = 4, DEPTH = 8, CALLS = 2000 };
#define HIDE __attribute__((no_instrument_function))
typedef int Function(unsigned path, int depth);
static Function first, second, third, fourth;
static Function *const functions[KINDS] = {first, second, third, fourth};
static int leaf(int n) { return n + 1; }
HIDE static int go_on(unsigned path, int depth)
{
    int n = 0;
    if (depth < DEPTH)
        return functions[path % KINDS](path / KINDS, depth + 1);
    for (int i = 0; i < CALLS; i++)
        n = leaf(n);
    return n;
}
static int first(unsigned path, int depth) { return go_on(path, depth); }
static int second(unsigned path, int depth) { return go_on(path, depth); }
static int third(unsigned path, int depth) { return go_on(path, depth); }
static int fourth(unsigned path, int depth) { return go_on(path, depth); }
HIDE static void *find(void *number)
{
    for (unsigned path = 7919 * (unsigned)(long)number;; path += 37)
        go_on(path, 0);
    return 0;
}
HIDE static void *change(void *unused)
{
    for (;;) {
        vftrace_exclude((void (*)(void))third);
        vftrace_snapshot("snapshot.vfd");
        vftrace_include((void (*)(void))third);
        void *plugin = dlopen("./plugin.so", RTLD_NOW);
        ((int (*)(int))dlsym(plugin, "entry"))(1);
        dlclose(plugin);
    }
    return unused;
}
HIDE int main(int count, char **arguments)
{
    pthread_t thread;
    for (long i = 0; i < THREADS; i++)
        pthread_create(&thread, 0, find, (void *)i);
    pthread_create(&thread, 0, change, 0);
    usleep(300000);
    switch (atoi(arguments[count - 1])) {
    case 0:
        vftrace_shutdown();
        usleep(100000);
        _exit(0);
    case 1:
        exit(0);
    default:
        return 0;
    }
}
END
    # A library that a thread opens while the process exits brings the C library to run the constructors of ours once more: glibc's exit has
    # marked them as not run. AddressSanitizer takes that for a second definition of each global object.
    export ASAN_OPTIONS=$ASAN_OPTIONS:detect_odr_violation=0
    for end in 0 1 2; do
        run ./loaded $end
        expect_no_report
        expect_at_least "$(calls_of loaded_all.log leaf)" 1000 "calls of leaf"
        rm -f loaded_*
    done
}

run_tests
