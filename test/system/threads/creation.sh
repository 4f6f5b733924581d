# SPDX-License-Identifier: BSD-3-Clause
# How threads are created: all are seen, know their creator, and nothing of it is different for the program.
. "${srcdir:-.}/test/system/lib.sh"

every_event='"sampling": {"active": true, "sample_interval": 0}'

# thread_tree FILE: a line "index: creator" for each thread.
thread_tree() {
    "$vftr" dump --show_threadtree --skip_samples "$1" >dump || fail "vftr dump"
    sed -n '/^Threadtree:/,/^$/s/^ *\([0-9]*\): tid [0-9]*, [0-9.]* to [0-9.]* s, [0-9]* samples\(, started by thread \([0-9]*\)\)\?.*/\1: \3/p' dump | sort -n
}

# Issue: pthread_create/join, std::thread, std::jthread, detached threads. The thread tree knows parent and call path of creation.
test_threads_of_every_kind_are_recorded_with_their_creator() {
    config "$every_event"
    check() {
        build kinds.cpp -std=c++20 <<'SOURCE'
#include <atomic>
#include <cstdlib>
#include <pthread.h>
#include <thread>
#include <threads.h>
#include <unistd.h>
static std::atomic<int> done{0};
extern "C" void leaf() {}
static void *work(void *argument) { leaf(); return argument; }
static void *deeper(void *argument)
{
    pthread_t thread;
    leaf();
    if (pthread_create(&thread, nullptr, work, argument))
        exit(1);
    pthread_join(thread, nullptr);
    return argument;
}
__attribute__((no_instrument_function)) static void *unseen(void *argument)
{
    pthread_t thread;
    if (pthread_create(&thread, nullptr, work, argument))
        exit(2);
    pthread_join(thread, nullptr);
    return argument;
}
static int standard_c(void *) { leaf(); return -5; }
static void create(void *(*start)(void *))
{
    pthread_t thread;
    void *result = nullptr;
    if (pthread_create(&thread, nullptr, start, &done) || pthread_join(thread, &result) || result != &done)
        exit(3);
}
static void outlives_main() { leaf(); ++done; for (;;) pause(); }
int main()
{
    create(work);
    create(deeper);
    create(unseen);
    std::thread([] { leaf(); }).join();
    {
        std::jthread stopped([](std::stop_token token) { leaf(); while (!token.stop_requested()) usleep(1000); ++done; });
    }
    if (done != 1)
        return 4;
    thrd_t thread;
    int result = 0;
    if (thrd_create(&thread, standard_c, nullptr) != thrd_success || thrd_join(thread, &result) != thrd_success || result != -5)
        return 5;
    std::thread(outlives_main).detach();
    while (done != 2)
        usleep(1000);
    return 0;
}
SOURCE
        run_well ./kinds
        expect_calls kinds_all.log leaf 8
        expect_same "$(thread_tree kinds_0.vfd | tr '\n' ' ')" '0:  1: 0 2: 0 3: 2 4: 0 5: 0 6: 0 7: 0 8: 0 ' "threads and their creators"
    }
    with_each_compiler check
}

# Issue: The thread tree knows parent and call path of creation. (In a child that has no other event before.)
test_threads_of_a_forked_child_belong_to_the_path_that_it_was_forked_on() {
    config "$every_event"
    build forks.c <<'SOURCE'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static void leaf(void) {}
static void *work(void *argument) { leaf(); return argument; }
static int create(void)
{
    pthread_t thread;
    return pthread_create(&thread, 0, work, 0) || pthread_join(thread, 0);
}
int main(void)
{
    int status, failed = create();
    pid_t child = fork();
    if (child == 0) {
        pthread_t thread;
        return pthread_create(&thread, 0, work, 0) || pthread_join(thread, 0) || create();
    }
    return failed || waitpid(child, &status, 0) != child || status != 0;
}
SOURCE
    run_well ./forks
    local file
    for file in forks_*.vfd; do
        [ "$file" != forks_0.vfd ] && [[ $file != *_all.vfd ]] || continue
        expect_same "$(thread_tree "$file" | tr '\n' ' ')" '0:  1: 0 2: 0 ' "threads of the child and their creators"
        return 0
    done
    fail "there is no recording of the child: $(ls -m)"
}

# Issue: threads … exit by pthread_exit, by cancellation. What a program sees of its threads is what it sees without us: errors, attributes,
# smallest stacks, processors, what stands on the stack.
test_a_program_sees_the_threads_that_it_would_see_without_vftrace() {
    config
    check() {
        build sees.c <<'SOURCE'
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
static void leaf(void) {}
static void *work(void *argument)
{
    void *stack[20];
    pthread_attr_t own;
    size_t size;
    cpu_set_t processors;
    char name[16];
    leaf();
    pthread_getattr_np(pthread_self(), &own);
    pthread_attr_getstacksize(&own, &size);
    pthread_attr_destroy(&own);
    pthread_getaffinity_np(pthread_self(), sizeof processors, &processors);
    pthread_getname_np(pthread_self(), name, sizeof name);
    printf("%s: stack of %zu bytes, %d frames, %d processors, errno %d\n", name, size, size > 65536 ? backtrace(stack, 20) : 0,
           CPU_COUNT(&processors), errno);
    return argument;
}
static void *small(void *argument) { leaf(); return argument; }
int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    cpu_set_t one;
    void *result;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 20);
    CPU_ZERO(&one);
    sched_getaffinity(0, sizeof one, &one);
    for (int i = 0, found = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &one) && found++)
            CPU_CLR(i, &one);
    pthread_attr_setaffinity_np(&attributes, sizeof one, &one);
    pthread_create(&thread, &attributes, work, 0);
    pthread_join(thread, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
    printf("smallest stack: %d\n", pthread_create(&thread, &attributes, small, &one));
    pthread_join(thread, &result);
    printf("result handed on: %d\n", result == (void *)&one);
    pthread_attr_setstacksize(&attributes, (size_t)1 << 46);
    printf("no memory: %s\n", strerror(pthread_create(&thread, &attributes, work, 0)));
    return 0;
}
SOURCE
        run ./sees
        expect_status 0
        mv out recorded
        VFTR_OFF=1 run ./sees
        diff out recorded || fail "the program sees other threads"
        instrument= linkage=none build sees
        run ./sees
        diff out recorded || fail "the program sees other threads"
        expect_same "$(wc -l <recorded)" 5 "lines of output"
    }
    with_each_compiler check
}

# Issue: exceptions … out of threads.
test_an_exception_that_leaves_a_thread_ends_the_program_where_it_was_thrown() {
    config
    check() {
        build thrown.cpp -rdynamic <<'SOURCE'
#include <cstdio>
#include <cstring>
#include <execinfo.h>
#include <exception>
#include <pthread.h>
#include <stdexcept>
#include <unistd.h>
extern "C" void thrower() { throw std::runtime_error("out of a thread"); }
static void *work(void *argument) { thrower(); return argument; }
static void at_end()
{
    void *stack[50];
    int depth = backtrace(stack, 50);
    char **names = backtrace_symbols(stack, depth);
    for (int i = 0; i < depth; i++)
        if (std::strstr(names[i], "(thrower"))
            std::puts("the thrower is on the stack");
    std::fflush(stdout);
    std::_Exit(7);
}
int main(int argc, char **)
{
    pthread_t thread;
    if (argc > 1)
        std::set_terminate(at_end);
    pthread_create(&thread, nullptr, work, nullptr);
    pthread_join(thread, nullptr);
}
SOURCE
        run ./thrown
        expect_status 134
        grep -q 'what():  out of a thread' err || fail "$(cat err)"
        run ./thrown and see
        expect_status 7
        expect_same "$(cat out)" 'the thrower is on the stack' "output"
    }
    with_each_compiler check
}

run_tests
