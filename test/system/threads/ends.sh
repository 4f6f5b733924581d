# SPDX-License-Identifier: BSD-3-Clause
# How threads end, and when they are created where a program does not expect any more.
. "${srcdir:-.}/test/system/lib.sh"

# Issue: threads that exit by pthread_exit … inside hooks: in a handler of a signal that interrupts hooks most of the time.
# The later threads are sampled, as none is in the first fifth of a second of a process (record/samples/samples.hpp).
test_threads_that_exit_in_a_signal_handler_keep_the_counts_of_others() {
    config '"timing_samples": 10000'
    check() {
        build handler.c <<'SOURCE'
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static volatile int running;
static void leaf(void) {}
static void last(void) { pthread_exit(0); }
__attribute__((no_instrument_function)) static void handler(int number) { (void)number; last(); }
static void *work(void *argument)
{
    running = 1;
    for (;;)
        leaf();
    return argument;
}
static void whole(void) {}
static void *other(void *argument)
{
    for (int i = 0; i < 1000; i++)
        whole();
    return argument;
}
int main(void)
{
    pthread_t thread, second;
    signal(SIGUSR1, handler);
    for (int i = 0; i < 100; i++) {
        running = 0;
        if (i == 50)
            usleep(300000);
        if (pthread_create(&thread, 0, work, 0) || pthread_create(&second, 0, other, 0))
            return 1;
        while (!running)
            usleep(100);
        usleep(i < 50 ? 0 : 500);
        pthread_kill(thread, SIGUSR1);
        pthread_join(thread, 0);
        pthread_join(second, 0);
    }
    return 0;
}
SOURCE
        run_well ./handler
        expect_calls handler_all.log work 100
        expect_calls handler_all.log other 100
        expect_calls handler_all.log whole 100000
        expect_calls handler_all.log main 1
    }
    with_each_compiler check
}

# Issue: threads that exit … by cancellation, inside hooks: asynchronous, while it does nothing but call hooks, and deferred.
test_threads_cancelled_at_any_moment_keep_the_counts_of_others() {
    config '"timing_samples": 10000'
    check() {
        build cancel.c <<'SOURCE'
#include <pthread.h>
#include <unistd.h>
static volatile int running;
static void leaf(void) {}
static void whole(void) {}
static void cleanup(void *argument) { (void)argument; }
static void *at_once(void *argument)
{
    int before;
    pthread_cleanup_push(cleanup, 0);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
    running = 1;
    for (;;)
        leaf();
    pthread_cleanup_pop(0);
    return argument;
}
static void *later(void *argument)
{
    running = 1;
    for (;;) {
        leaf();
        pthread_testcancel();
    }
    return argument;
}
int main(void)
{
    pthread_t thread;
    void *result;
    for (int i = 0; i < 100; i++) {
        running = 0;
        if (i == 50)
            usleep(300000);
        if (pthread_create(&thread, 0, i % 2 ? at_once : later, 0))
            return 1;
        while (!running)
            usleep(50);
        usleep(i < 50 ? 0 : 500);
        whole();
        if (pthread_cancel(thread) || pthread_join(thread, &result) || result != PTHREAD_CANCELED)
            return 2;
    }
    return 0;
}
SOURCE
        run_well ./cancel
        expect_calls cancel_all.log at_once 50
        expect_calls cancel_all.log later 50
        # A cancellation within a hook leaves no trace of that; what is called next may be taken for a part of the hook.
        expect_at_most "$(calls_of cancel_all.log cleanup)" 50 "calls of cleanup"
        expect_calls cancel_all.log whole 100
        expect_calls cancel_all.log main 1
    }
    with_each_compiler check
}

# Issue: threads … after main returned.
test_threads_created_after_main_has_ended_are_no_trouble() {
    config
    check() {
        build after.cpp <<'SOURCE'
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <thread>
extern "C" void leaf() {}
static void create(const char *when)
{
    std::thread([] { leaf(); }).join();
    std::puts(when);
    std::fflush(stdout);
}
struct CreatesAtEnd {
    ~CreatesAtEnd() { create("destructor"); }
};
static CreatesAtEnd object;
static void at_exit() { create("atexit"); }
extern "C" void *work(void *argument)
{
    leaf();
    std::atexit(at_exit);
    return argument;
}
int main(int argc, char **)
{
    pthread_t thread;
    if (argc == 1) {
        std::atexit(at_exit);
        create("main");
        return 0;
    }
    pthread_create(&thread, nullptr, work, nullptr);
    pthread_exit(nullptr);
}
SOURCE
        run_well ./after
        expect_same "$(tr '\n' ' ' <out)" 'main atexit destructor ' output
        expect_calls after_all.log main 1
        expect_at_least "$(calls_of after_all.log leaf)" 1 "calls of leaf"
    }
    with_each_compiler check
}

# Issue: pthread programs … a thread that ends the process while others are in hooks, and at their begin.
test_a_thread_may_end_the_process() {
    config
    build ends.c <<'SOURCE'
#include <pthread.h>
#include <stdlib.h>
static void leaf(void) {}
static void *work(void *argument)
{
    for (;;)
        leaf();
    return argument;
}
static void *brief(void *argument) { leaf(); return argument; }
static void *end(void *argument) { leaf(); exit(5); return argument; }
int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, 0, work, 0);
    pthread_create(&thread, 0, end, 0);
    for (;;) {
        if (pthread_create(&thread, 0, brief, 0) == 0)
            pthread_join(thread, 0);
    }
}
SOURCE
    for _ in 1 2 3 4 5; do
        rm -f ends_*
        run ./ends
        expect_status 5
        expect_silence
        expect_calls ends_all.log end 1
        expect_calls ends_all.log main 1
    done
}

run_tests
