# SPDX-License-Identifier: BSD-3-Clause
# Threads: plain pthread programs, many short ones, and how they end.
. "${srcdir:-.}/test/system/lib.sh"

test_a_plain_pthread_program_has_exact_counts() {
    config
    check() {
        build plain.c <<'END'
#include <pthread.h>
static int leaf(int n) { return n + 1; }
static void *work(void *unused)
{
    for (int i = 0; i < 20000; i++)
        leaf(i);
    return unused;
}
int main(void)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    return 0;
}
END
        run_well ./plain
        expect_calls plain_all.log leaf 80000
        expect_calls plain_all.log work 4
        expect_calls plain_all.log main 1
        expect_stack plain_all.log 'leaf<work<init'
    }
    with_each_compiler check
    linkage=static
    check
}

test_hundreds_of_short_lived_threads_are_all_counted() {
    config
    build short.c <<'END'
#include <pthread.h>
static void leaf(void) {}
static void *work(void *unused) { leaf(); return unused; }
static void *detached(void *unused) { leaf(); return unused; }
int main(void)
{
    pthread_t threads[8];
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < 8; i++)
            if (pthread_create(&threads[i], 0, work, 0))
                return 1;
        for (int i = 0; i < 8; i++)
            pthread_join(threads[i], 0);
    }
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 65536);
    for (int i = 0; i < 100; i++) {
        if (pthread_create(&threads[0], &attributes, detached, 0))
            return 1;
        pthread_join(threads[0], 0);
    }
    return 0;
}
END
    run_well ./short
    expect_calls short_all.log leaf 900
    expect_calls short_all.log work 800
    expect_calls short_all.log detached 100
    expect_at_most "$(stat -c %s short_all.vfd)" 100000 "size of the profile"
}

test_two_hundred_threads_at_once_are_all_counted() {
    config
    build many.c <<'END'
#include <pthread.h>
static pthread_barrier_t all;
static void leaf(void) {}
static void *work(void *unused)
{
    leaf();
    pthread_barrier_wait(&all);
    leaf();
    return unused;
}
int main(void)
{
    static pthread_t threads[200];
    pthread_barrier_init(&all, 0, 200);
    for (int i = 0; i < 200; i++)
        if (pthread_create(&threads[i], 0, work, 0))
            return 1;
    for (int i = 0; i < 200; i++)
        pthread_join(threads[i], 0);
    return 0;
}
END
    run_well ./many
    expect_calls many_all.log leaf 400
    expect_calls many_all.log work 200
}

test_pthread_exit_deep_in_frames_keeps_the_counts() {
    config
    build deep.c <<'END'
#include <pthread.h>
static void leaf(void) {}
static void dive(int n) { leaf(); if (n) dive(n - 1); pthread_exit(0); }
static void *work(void *unused) { dive(5); return unused; }
int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 50; i++) {
        pthread_create(&thread, 0, work, 0);
        pthread_join(thread, 0);
    }
    leaf();
    return 0;
}
END
    run_well ./deep
    expect_calls deep_all.log work 50
    expect_calls deep_all.log dive 300
    expect_calls deep_all.log leaf 301
    expect_stack deep_all.log 'leaf<main<init'
    expect_stack deep_all.log 'leaf<dive<work<init'
}

test_a_cancelled_thread_keeps_the_counts() {
    config
    build cancelled.c <<'END'
#include <pthread.h>
#include <unistd.h>
static void leaf(void) {}
static void cleanup(void *unused) { leaf(); (void)unused; }
static void *work(void *unused)
{
    pthread_cleanup_push(cleanup, 0);
    leaf();
    for (;;)
        pause();
    pthread_cleanup_pop(0);
    return unused;
}
int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 20; i++) {
        pthread_create(&thread, 0, work, 0);
        pthread_cancel(thread);
        pthread_join(thread, 0);
    }
    return 0;
}
END
    run_counted ./cancelled
    run_well ./cancelled
    expect_calls cancelled_all.log main 1
    # A thread that is cancelled before it begins never calls work.
    local cleanups
    cleanups=$(calls_of cancelled_all.log cleanup)
    expect_at_most "$cleanups" "$(calls_of cancelled_all.log work)" "calls of cleanup"
}

# The first call of a thread opens the recording's file, where a cancellation would take effect.
test_a_thread_that_is_to_be_cancelled_is_recorded_up_to_the_programs_own_cancellation_point() {
    config
    build pending.c <<'END'
#include <pthread.h>
static void leaf(void) {}
__attribute__((no_instrument_function)) static void *work(void *unused)
{
    pthread_cancel(pthread_self());
    leaf();
    pthread_testcancel();
    leaf();
    return unused;
}
int main(void)
{
    pthread_t thread;
    void *result = 0;
    for (int i = 0; i < 10; i++) {
        pthread_create(&thread, 0, work, 0);
        pthread_join(thread, &result);
        if (result != PTHREAD_CANCELED)
            return 1;
    }
    return 0;
}
END
    run_well ./pending
    expect_calls pending_all.log leaf 10
}

test_main_may_leave_its_threads_running() {
    config
    build left.c <<'END'
#include <pthread.h>
#include <semaphore.h>
static sem_t ready;
static void leaf(void) {}
static void *work(void *unused)
{
    for (int i = 0; i < 1000; i++)
        leaf();
    sem_post(&ready);
    for (;;)
        leaf();
    return unused;
}
int main(void)
{
    pthread_t thread;
    sem_init(&ready, 0, 0);
    for (int i = 0; i < 3; i++) {
        pthread_create(&thread, 0, work, 0);
        sem_wait(&ready);
    }
    return 0;
}
END
    run_well ./left
    expect_calls left_all.log main 1
    expect_calls left_all.log work 3
    expect_at_least "$(calls_of left_all.log leaf)" 3000 "calls of leaf"
}

test_main_may_end_by_pthread_exit() {
    config
    build ends.c <<'END'
#include <pthread.h>
#include <unistd.h>
static void leaf(void) {}
static void *work(void *unused)
{
    usleep(20000);
    for (int i = 0; i < 100; i++)
        leaf();
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_exit(0);
}
END
    run_well ./ends
    expect_calls ends_all.log leaf 100
    expect_calls ends_all.log main 1
}

test_thread_specific_destructors_are_recorded_without_harm() {
    config
    build destructors.c <<'END'
#include <pthread.h>
static pthread_key_t key;
static void leaf(void) {}
static void destroy(void *value)
{
    leaf();
    if (value != (void *)1)
        pthread_setspecific(key, (char *)value - 1);
}
static void *work(void *unused) { pthread_setspecific(key, (void *)3); return unused; }
int main(void)
{
    pthread_t thread;
    pthread_key_create(&key, destroy);
    for (int i = 0; i < 100; i++) {
        pthread_create(&thread, 0, work, 0);
        pthread_join(thread, 0);
    }
    return 0;
}
END
    run_well ./destructors
    run_counted ./destructors
    expect_same_counts destructors_all.log counts destructors
}

# Issue: threads that are there when the process ends: its profile is written by the thread that exits.
test_exit_while_threads_begin_keeps_the_exit_code_and_the_profile() {
    config
    build ends.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static void *leaf(void *unused) { return unused; }
static void *create(void *unused)
{
    pthread_t thread;
    for (;;)
        if (!pthread_create(&thread, 0, leaf, 0))
            pthread_join(thread, 0);
    return unused;
}
int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 6; i++)
        pthread_create(&thread, 0, create, 0);
    usleep(10000);
    exit(3);
}
END
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        rm -f ends_all.log
        run ./ends
        expect_status 3
        expect_silence
        expect_calls ends_all.log main 1
    done
}

run_tests
